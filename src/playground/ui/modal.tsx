/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';

interface ModalProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

/** A dialog above the page. The focus stays in it, and returns to the previous element at the end. */
export function Modal({ title, onClose, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const root = dialog.current?.getRootNode() as Document | ShadowRoot | undefined;
    const before = root?.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by the keyboard
    <dialog
      ref={dialog}
      class="modal"
      part="dialog"
      aria-labelledby={titleId}
      onClose={onClose}
      onClick={({ target }) => target === dialog.current && dialog.current?.close()}
    >
      <div class="modal-box">
        <header>
          <h2 id={titleId}>{title}</h2>
          <button
            type="button"
            class="button icon"
            aria-label="Close"
            onClick={() => dialog.current?.close()}
          >
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}

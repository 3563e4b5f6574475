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
    const element = dialog.current;
    const root = element?.getRootNode() as Document | ShadowRoot | undefined;
    const before = root?.activeElement;
    element?.showModal();
    return () => {
      // The browser returns the focus, except from a dialog that goes away open. It may have moved on since.
      const now = root?.activeElement;
      const isLost = !now || now === document.body || element?.contains(now);
      if (isLost && before instanceof HTMLElement && before.isConnected) before.focus();
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

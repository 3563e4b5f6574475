/** @jsxImportSource preact */
import { Icon } from '../ui/icon.tsx';
import { isOver, type Upload } from './use-uploads.ts';

interface UploadListProps {
  uploads: Upload[];
  cancel: (id: string) => void;
  /** Takes the focus from the last one that is dismissed. */
  focusHeading: () => void;
}

/** Files that are being uploaded, those that failed, and those that were already there. */
export function UploadList({ uploads, cancel, focusHeading }: UploadListProps) {
  if (uploads.length === 0) return null;
  return (
    <ul class="uploads" aria-label="Uploads">
      {uploads.map(({ id, file, state, sent, storedAs, problem }) => (
        <li key={id} class={problem ? 'failed' : ''}>
          <div class="upload-text">
            <span class="file-name">{file.name}</span>
            {problem ? (
              <span class="bad" role="alert">
                {problem.text.replace(`${file.name}: `, '')}
              </span>
            ) : (
              <>
                <span class="quiet">
                  {STATES[state]}
                  {storedAs && storedAs !== file.name && ` as ${storedAs}`}
                </span>
                {!isOver(state) && (
                  <progress
                    aria-label={`${file.name}: ${STATES[state]}`}
                    {...(state !== 'reading' && { value: sent })}
                  />
                )}
              </>
            )}
          </div>
          <button
            type="button"
            class="button icon"
            aria-label={`${isOver(state) ? 'Dismiss' : 'Cancel'} ${file.name}`}
            onClick={({ currentTarget }) => {
              const next = neighbour(currentTarget);
              if (next) next.focus();
              else focusHeading();
              cancel(id);
            }}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The same button of the file after this one, or before the last one. */
function neighbour(button: HTMLElement): HTMLElement | null | undefined {
  const item = button.closest('li');
  return (item?.nextElementSibling ?? item?.previousElementSibling)?.querySelector('button');
}

const STATES: Record<Upload['state'], string> = {
  waiting: 'Waiting',
  sending: 'Sending',
  reading: 'Reading and indexing',
  skipped: 'Already there',
  failed: 'Failed',
};

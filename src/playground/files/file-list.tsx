/** @jsxImportSource preact */
import { useRef, useState } from 'preact/hooks';
import type { ShownFileFragment } from '../../generated/playground.ts';
import { formatSize, formatTime } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import type { FileList as Listed } from './use-files.ts';

/** With fewer files than this, there is no search field. */
const MANY = 8;

interface FileListProps {
  list: Listed;
  /** Only files with this text in their names are shown. */
  name: string;
  onName: (name: string) => void;
  open: (file: ShownFileFragment) => void;
  readMore: () => Promise<void>;
  /** Missing if files may not be deleted. */
  remove?: ((file: ShownFileFragment) => void) | undefined;
}

/** The files of the dataset, which open with a click. */
export function FileList({ list, name, onName, open, readMore, remove }: FileListProps) {
  const { files, totalCount, endCursor, isRead, problem } = list;
  const [isBusy, setBusy] = useState(false);
  const items = useRef<HTMLUListElement>(null);
  if (!isRead) return problem ? null : <p class="quiet pad">Reading the list…</p>;

  const more = async () => {
    if (isBusy) return;
    setBusy(true);
    await readMore();
    setBusy(false);
    // The button moves on, or is gone.
    requestAnimationFrame(() => {
      const next = items.current?.children[files.length];
      next?.querySelector('button')?.focus();
    });
  };
  return (
    <>
      {(totalCount > MANY || name) && (
        <input
          type="search"
          class="search"
          aria-label="Find files by name"
          placeholder="Find by name"
          value={name}
          onInput={({ currentTarget }) => onName(currentTarget.value)}
        />
      )}
      {files.length === 0 && (
        <p class="quiet pad">{name ? 'No file has this in its name.' : 'No files yet.'}</p>
      )}
      <ul class="files" ref={items}>
        {files.map((file) => (
          <li key={file.id}>
            <button type="button" class="file" onClick={() => open(file)}>
              <Icon name="file" />
              <span class="file-text">
                <span class="file-name">{file.originalName}</span>
                <span class="quiet">{describe(file)}</span>
              </span>
            </button>
            {remove && (
              <button
                type="button"
                class="button icon"
                aria-label={`Delete ${file.originalName}`}
                onClick={() => remove(file)}
              >
                <Icon name="trash" />
              </button>
            )}
          </li>
        ))}
      </ul>
      {endCursor && (
        <button type="button" class="button small more" onClick={more}>
          {isBusy ? 'Reading…' : 'Show more'}
        </button>
      )}
    </>
  );
}

function describe({ size, createdAt, extraMeta }: ShownFileFragment): string {
  const own = Object.entries(extraMeta ?? {}).map(([key, value]) => `${key}: ${textOf(value)}`);
  return [size !== null && formatSize(size), own.join(', ') || formatTime(createdAt)]
    .filter(Boolean)
    .join(' · ');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

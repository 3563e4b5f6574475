/** @jsxImportSource preact */
import type { FileQuery, ShownFileFragment } from '../../generated/playground.ts';
import { describePlace } from '../chat/describe-place.ts';
import { count, formatSize, formatTime } from '../ui/format.ts';
import { Modal } from '../ui/modal.tsx';
import { Notice } from '../ui/notice.tsx';
import { type FileOptions, useFile } from './use-file.ts';

interface FileDialogProps extends Omit<FileOptions, 'fileId'> {
  /** As it stands in the list. */
  listed: ShownFileFragment;
  /** Missing if questions may not be asked. */
  askAbout?: (() => void) | undefined;
  /** Missing if files may not be deleted. */
  remove?: (() => void) | undefined;
  onClose: () => void;
}

/** The metadata of a file, its stored copy, and its chunks. */
export function FileDialog(props: FileDialogProps) {
  const { listed, askAbout, remove, onClose } = props;
  const { file, problem, readMore } = useFile({ ...props, fileId: listed.fileId });
  return (
    <Modal title={listed.originalName} onClose={onClose}>
      <dl class="facts">
        {factsOf(listed).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p class="actions">
        {file?.permanentUrl && (
          <a class="button" href={file.permanentUrl} target="_blank" rel="noreferrer">
            Open the file
          </a>
        )}
        {askAbout && (
          <button type="button" class="button" onClick={askAbout}>
            Ask about this file only
          </button>
        )}
        {remove && (
          <button type="button" class="button danger" onClick={remove}>
            Delete
          </button>
        )}
      </p>
      <section class="chunks" aria-label="Chunks">
        <h3>{file?.chunks ? count(file.chunks.totalCount, 'chunk') : 'Chunks'}</h3>
        {file?.chunks && <Chunks chunks={file.chunks} />}
        {!file && !problem && <p class="quiet">Reading…</p>}
        {problem && <Notice problem={problem} retry={readMore} />}
        {file?.chunks?.pageInfo.hasNextPage && !problem && (
          <p>
            <button type="button" class="button small" onClick={readMore}>
              Show more
            </button>
          </p>
        )}
      </section>
    </Modal>
  );
}

type ChunkPage = NonNullable<NonNullable<FileQuery['file']>['chunks']>;

function Chunks({ chunks }: { chunks: ChunkPage }) {
  return (
    <ol>
      {chunks.nodes.map(({ position, content, location }) => (
        <li key={position}>
          <p class="quiet">{[position + 1, describePlace(location)].filter(Boolean).join(' · ')}</p>
          <p class="chunk-text">{content}</p>
        </li>
      ))}
    </ol>
  );
}

function factsOf(file: ShownFileFragment): [string, string][] {
  const { mimeType, size, createdAt, fileId, extraMeta } = file;
  const own = Object.entries(extraMeta ?? {}).map(([key, value]): [string, string] => [
    key,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return [
    ['Type', mimeType ?? 'unknown'],
    ['Size', size === null ? 'unknown' : formatSize(size)],
    ['Uploaded', formatTime(createdAt)],
    ['Id', fileId],
    ...own,
  ];
}

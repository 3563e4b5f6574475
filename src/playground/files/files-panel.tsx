/** @jsxImportSource preact */
import type { RefObject } from 'preact';
import type { ShownFileFragment } from '../../generated/playground.ts';
import { count } from '../ui/format.ts';
import { Notice } from '../ui/notice.tsx';
import { DropZone } from './drop-zone.tsx';
import { FileList } from './file-list.tsx';
import { UploadList } from './upload-list.tsx';
import type { FileList as Listed } from './use-files.ts';
import type { Uploads } from './use-uploads.ts';

interface FilesPanelProps {
  datasetId: string;
  uploads: Uploads;
  /** Missing if files may not be listed. */
  list: Listed | undefined;
  name: string;
  onName: (name: string) => void;
  readMore: () => Promise<void>;
  mayUpload: boolean;
  open: (file: ShownFileFragment) => void;
  /** Missing if files may not be deleted. */
  remove?: ((file: ShownFileFragment) => void) | undefined;
  signIn: () => void;
  headingRef: RefObject<HTMLHeadingElement | null>;
}

/** Files that are being uploaded, and stored files. */
export function FilesPanel(props: FilesPanelProps) {
  const { datasetId, list, mayUpload, signIn, headingRef } = props;
  const { uploads, news, add, cancel } = props.uploads;
  return (
    <section class="files-panel" aria-labelledby="files-heading">
      <header class="panel-head">
        <h2 id="files-heading" ref={headingRef} tabIndex={-1}>
          Files
        </h2>
        {list?.isRead && <span class="quiet">{count(list.totalCount, 'file')}</span>}
      </header>
      {mayUpload && <DropZone add={(files, metadata) => add(datasetId, files, metadata)} />}
      <UploadList
        uploads={uploads.filter((upload) => upload.datasetId === datasetId)}
        cancel={cancel}
        focusHeading={() => headingRef.current?.focus()}
      />
      <p class="hidden" role="status">
        {news}
      </p>
      {list?.problem && <Notice problem={list.problem} signIn={signIn} />}
      {list ? (
        <FileList {...props} list={list} />
      ) : (
        <p class="quiet pad">This token may not list files.</p>
      )}
    </section>
  );
}

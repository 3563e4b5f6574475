import { useState } from 'react';
import type { ListedFileFragment } from '../../../generated/frontend.ts';
import type { Problem } from '../problem.ts';
import { Notice } from './notice.tsx';
import type { PanelProps } from './panel-props.ts';
import { UploadForm } from './upload-form.tsx';

export function FilesPanel(props: PanelProps) {
  const { layer, permissions, signIn } = props;
  const { data: files, problem } = layer.useFiles();
  const removeFile = layer.useRemoveFile();
  const [failure, setFailure] = useState<Problem>();

  function remove(file: ListedFileFragment): void {
    setFailure(undefined);
    removeFile(file).catch(setFailure);
  }

  return (
    <section aria-label="Files">
      <h2>Files</h2>
      {permissions.includes('UPLOAD') && <UploadForm {...props} />}
      {problem && <Notice problem={problem} signIn={signIn} />}
      {failure && failure.code !== problem?.code && <Notice problem={failure} signIn={signIn} />}
      {files?.length === 0 && <p>No files yet.</p>}
      <ul>
        {files?.map((file) => (
          <li key={file.id}>
            <span className="name">{file.originalName}</span>
            <span className="size">{formatSize(file.size ?? 0)}</span>
            {permissions.includes('DELETE') && (
              <button
                type="button"
                aria-label={`Delete ${file.originalName}`}
                onClick={() => remove(file)}
              >
                Delete
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function formatSize(bytes: number): string {
  const [unit, divisor] = bytes < 1e6 ? ['kilobyte', 1e3] : ['megabyte', 1e6];
  const format = { style: 'unit', unit, maximumFractionDigits: 1 } as const;
  return (bytes / divisor).toLocaleString([], format);
}

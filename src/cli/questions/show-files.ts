import { type Outcome, printable, table } from '../output.ts';
import { listFiles } from '../remote/list-files.ts';
import type { Remote } from '../remote/remote.ts';

interface ListedFile {
  fileId: string;
  originalName: string;
  mimeType: string | null;
  size: number | null;
  createdAt: string;
  contentHash: string | null;
  extraMeta: Record<string, unknown> | null;
}

const LIST = {
  fields: 'fileId originalName mimeType size createdAt contentHash extraMeta',
  pageSize: 200,
};

/** Lists the files of a dataset, newest first. */
export async function showFiles(remote: Remote): Promise<Outcome> {
  const data = await Array.fromAsync(listFiles<ListedFile>(remote, LIST));
  const rows = data.map(({ fileId, originalName, size, createdAt, extraMeta }) => ({
    fileId,
    size,
    createdAt,
    name: printable(String(extraMeta?.['path'] ?? originalName)),
  }));
  return { data, text: table(rows, 'The dataset has no file.') };
}

import { type Outcome, table } from '../output.ts';
import type { Remote } from '../remote/remote.ts';
import { type FilterOptions, readFilters } from './read-filters.ts';

const LIST = {
  fields: [
    'fileId',
    'originalName',
    'mimeType',
    'size',
    'created',
    'contentHash',
    'extraMeta',
  ] as const,
  pageSize: 200,
};

/** Lists the files of a dataset, newest first. */
export async function showFiles(
  { client, datasetId }: Remote,
  options: FilterOptions,
): Promise<Outcome> {
  const data = await Array.fromAsync(
    client.list({ ...LIST, datasetId, filters: readFilters(options) }),
  );
  const rows = data.map(({ fileId, originalName, size, created, extraMeta }) => ({
    fileId,
    size,
    created,
    name: extraMeta?.['path'] ?? originalName,
  }));
  return { data, text: table(rows, 'The dataset has no file.') };
}

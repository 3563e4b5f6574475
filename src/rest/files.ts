import { AppError } from '../core/errors.ts';
import type { StoredFile } from '../core/model.ts';
import { readOptionalJson } from '../http/read-json.ts';
import { textStream } from '../http/text-stream.ts';
import { presentFile } from './present.ts';
import type { Handler } from './route.ts';

/** GET /v1/files */
export const listFiles: Handler = async ({ useCases, call, query, leave, fail }) => {
  const datasetId = query.get('datasetId');
  if (query.has('limit') || query.has('cursor')) {
    const limit = toNumber(query.get('limit'));
    const after = query.get('cursor');
    const page = await useCases.pageFiles(call, { datasetId, limit, after });
    const { files, nextCursor } = page;
    return Response.json({ success: true, files: files.map(presentFile), nextCursor });
  }
  const pages = useCases.listFiles(call, { datasetId });
  // The first page is read before the status is sent: until then a failure can still say so.
  const first = await pages.next();
  return new Response(textStream(writeList(first, pages, fail), leave), {
    headers: { 'content-type': 'application/json' },
  });
};

/** GET /v1/files/:fileId */
export const getFile: Handler = async ({ useCases, call, query, params }) => {
  const datasetId = query.get('datasetId');
  const file = await useCases.getFile(call, { datasetId, fileId: params['fileId'] ?? '' });
  const [permanentUrl] = await useCases.signFiles(call, { datasetId, files: [file] });
  return Response.json({ success: true, file: { ...presentFile(file), permanentUrl } });
};

/** DELETE /v1/files/:fileId */
export const deleteFile: Handler = async ({ useCases, call, request, query, params }) => {
  const body = await readOptionalJson(request);
  const datasetId = body['datasetId'] || query.get('datasetId');
  await useCases.deleteFile(call, { datasetId, fileId: params['fileId'] ?? '' });
  return Response.json({ success: true });
};

/** DELETE /v1/datasets/:datasetId/files */
export const purgeDataset: Handler = async ({ useCases, call, params }) => {
  const { datasetId } = params;
  const deleted = await useCases.purgeDataset(call, { datasetId });
  return Response.json({ success: true, deleted });
};

/** DELETE /v1/files */
export const purgeCustomer: Handler = async ({ useCases, call }) => {
  const deleted = await useCases.purgeCustomer(call, {});
  return Response.json({ success: true, deleted });
};

/** Writes `{success, files}` page by page: a list of any length takes the memory of one page. */
async function* writeList(
  first: IteratorResult<StoredFile[]>,
  pages: AsyncIterator<StoredFile[]>,
  fail: (error: unknown) => void,
): AsyncGenerator<string, void, undefined> {
  let text = '{"success":true,"files":[';
  try {
    for (let page = first; !page.done; page = await pages.next()) {
      yield text + page.value.map((file) => JSON.stringify(presentFile(file))).join(',');
      text = ',';
    }
  } catch (error) {
    fail(error);
    // The client must not take half a list for the list: the connection breaks off.
    throw new AppError('INTERNAL');
  }
  yield `${text === ',' ? '' : text}]}`;
}

/** A number that came as text; what is none stays text, and is refused by the operation in its own words. */
export function toNumber(text: string | null | undefined): number | string | undefined {
  if (text === null || text === undefined || text === '') return undefined;
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

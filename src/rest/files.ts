import { nextCursor } from '../core/cursor.ts';
import { AppError } from '../core/errors.ts';
import { readOptionalJson } from '../http/read-json.ts';
import type { Handler } from '../http/route.ts';
import { textStream } from '../http/text-stream.ts';
import { namedDataset } from './named-dataset.ts';
import { presentFile } from './present.ts';

/** GET /v1/files */
export const listFiles: Handler = async (context) => {
  const { useCases, call, searchParams, cancel, report } = context;
  const datasetId = namedDataset(context);
  if (searchParams.has('limit') || searchParams.has('cursor')) {
    const limit = toNumber(searchParams.get('limit'));
    const after = searchParams.get('cursor') || null;
    const page = await useCases.pageFiles(call, { datasetId, limit, after });
    const next = nextCursor(page, page.cursorOf) ?? null;
    return Response.json({ success: true, files: page.items.map(presentFile), nextCursor: next });
  }
  const pages = useCases.listFiles(call, { datasetId });
  // Two pages are read before the status is sent: a failure until then still gets an error status, and
  // a list of one page, the common case, is sent in one piece.
  const [first, second] = [await pages.next(), await pages.next()];
  const headers = { 'content-type': 'application/json' };
  if (first.done || second.done) {
    return new Response(`${LIST.begin}${first.value?.join() ?? ''}${LIST.end}`, { headers });
  }
  const rest = writeList([first.value, second.value], pages, report);
  return new Response(textStream(rest, cancel), { headers });
};

/** GET /v1/files/:fileId */
export const getFile: Handler = async (context) => {
  const { useCases, call, params } = context;
  const datasetId = namedDataset(context);
  const file = await useCases.getFile(call, { datasetId, fileId: params['fileId'] ?? '' });
  const [permanentUrl] = await useCases.signFiles(call, { datasetId, files: [file] });
  if (!permanentUrl) throw new AppError('FILE_NOT_FOUND');
  return Response.json({ success: true, file: { ...presentFile(file), permanentUrl } });
};

/** DELETE /v1/files/:fileId */
export const deleteFile: Handler = async (context) => {
  const { useCases, call, request, params } = context;
  const body = await readOptionalJson(request);
  const datasetId = namedDataset(context, body['datasetId']);
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

/** The JSON around the files of a list. */
const LIST = { begin: '{"success":true,"files":[', end: ']}' };

/** Writes a list page by page, so that a list of any length only takes the memory of a few pages. */
async function* writeList(
  read: string[][],
  pages: AsyncGenerator<string[], void, undefined>,
  report: (error: unknown) => void,
): AsyncGenerator<string, void, undefined> {
  try {
    yield `${LIST.begin}${read.join()}`;
    for await (const page of pages) yield `,${page.join()}`;
    yield LIST.end;
  } catch (error) {
    report(error);
    // Abort the connection, so that the client cannot take a partial list for the whole.
    throw new AppError('INTERNAL');
  } finally {
    // The loop does this only once it has begun.
    await pages.return();
  }
}

/** Parses a number from a URL or a form. Other text is returned as it is, and rejected by the operation. */
export function toNumber(text: string | null | undefined): number | string | undefined {
  if (text === null || text === undefined || text === '') return undefined;
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

import type { McpServer } from '@modelcontextprotocol/server';
import { nextCursor } from '../core/cursor.ts';
import { AppError } from '../core/errors.ts';
import type { StoredFile } from '../core/model.ts';
import type { McpContext } from './context.ts';
import { resourceError } from './mcp-errors.ts';

const TEMPLATE = 'filequery:///datasets/{datasetId}/files/{fileId}{?start}';
/** Resources have the text of a file, whatever its format. */
const MIME_TYPE = 'text/plain';

/**
 * Files as resources: lists those of the dataset of the caller, and reads the text of one. Without a
 * dataset the list is empty, and the template describes the URIs.
 */
export function addResources({ server }: McpServer, context: McpContext): void {
  const { useCases, call, report, datasetId } = context;
  server.registerCapabilities({ resources: {} });

  server.setRequestHandler('resources/list', async ({ params }, { mcpReq }) => {
    if (!context.hasDataset) return { resources: [] };
    const page = await orError('', mcpReq.signal, (called) =>
      useCases.pageFiles(called, { datasetId, after: params?.cursor, transcripts: false }),
    );
    const next = nextCursor(page, page.cursorOf);
    return { resources: page.items.map(toResource), ...(next && { nextCursor: next }) };
  });

  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      {
        uriTemplate: TEMPLATE,
        name: 'file',
        title: 'File',
        description: 'The text of a file; of a long one the part that begins with chunk `start`.',
        mimeType: MIME_TYPE,
      },
    ],
  }));

  server.setRequestHandler('resources/read', ({ params: { uri } }, { mcpReq }) =>
    orError(uri, mcpReq.signal, async (called) => {
      const { start, ...asked } = parseUri(uri);
      const { file, text, next } = await useCases.readFile(called, { ...asked, start });
      const rest = next === null ? '' : `\n\n[The text goes on: read ${uriOf(file, next)}]`;
      return { contents: [{ uri, mimeType: MIME_TYPE, text: text + rest }] };
    }),
  );

  async function orError<T>(
    uri: string,
    cancelled: AbortSignal,
    run: (called: typeof call) => Promise<T>,
  ): Promise<T> {
    const signal = AbortSignal.any([call.signal, cancelled]);
    try {
      return await run({ ...call, signal });
    } catch (error) {
      if (!signal.aborted) report(error);
      throw resourceError(error, uri, call.requestId);
    }
  }
}

function toResource(file: StoredFile) {
  return {
    uri: uriOf(file),
    name: file.originalName,
    mimeType: MIME_TYPE,
    annotations: { lastModified: file.created },
  };
}

function uriOf({ datasetId, fileId }: StoredFile, start?: number): string {
  const path = `filequery:///datasets/${encodeURIComponent(datasetId)}/files/${fileId}`;
  return start === undefined ? path : `${path}?start=${start}`;
}

const URI = /^filequery:\/\/\/datasets\/([^/?#]+)\/files\/([^/?#]+?)(?:\?start=(\d{1,10}))?$/;

/** @throws AppError FILE_NOT_FOUND for anything that is not the URI of a file */
function parseUri(uri: string): { datasetId: string; fileId: string; start: number | undefined } {
  const [, datasetId, fileId, start] = URI.exec(uri) ?? [];
  if (datasetId === undefined || fileId === undefined) throw new AppError('FILE_NOT_FOUND');
  return {
    datasetId: decode(datasetId),
    fileId,
    start: start === undefined ? undefined : Number(start),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new AppError('FILE_NOT_FOUND');
  }
}

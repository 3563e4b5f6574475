import { z } from 'zod';
import { ORIGIN_FIELDS } from '../core/chunk-metadata.ts';
import type { Json, JsonObject, SearchHit, StoredFile } from '../core/model.ts';
import { fileUrl } from '../http/file-url.ts';
import type { McpContext } from './context.ts';

/** A passage of a file. */
export const PASSAGE = z.object({
  text: z.string(),
  score: z.number().describe('How similar the passage is to the query, -1 to 1.'),
  location: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .describe('Where in the file it is, as far as the format has it: page, heading, startTime ...'),
});

/** A file, in the form that all tools use. */
export const FILE = z.object({
  id: z.string().describe('The id of the file.'),
  title: z.string().describe('The name of the file.'),
  url: z.string().describe('The address of the file, which requires the credential.'),
});

/** What is known of a file. */
export const FILE_METADATA = z.object({
  datasetId: z.string(),
  mimeType: z.string().nullable(),
  size: z.number().nullable().describe('In bytes.'),
  created: z.string().describe('When it was uploaded, as in RFC 3339.'),
  extraMeta: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('The metadata that it was uploaded with.'),
});

/** Groups hits by their files, which keeps the order of both. */
export function presentFoundFiles(hits: SearchHit[], context: McpContext) {
  const byFile = Map.groupBy(hits, ({ metadata }) => metadata['fileId']);
  return [...byFile.values()].map((ofFile) => ({
    ...presentFoundFile(ofFile[0] as SearchHit, context),
    passages: ofFile.map(presentPassage),
  }));
}

/** The file of a hit. Every chunk names its file. */
export function presentFoundFile({ metadata }: SearchHit, context: McpContext) {
  const { fileId, originalName, datasetId } = metadata as Record<string, string>;
  return {
    id: String(fileId),
    title: String(originalName),
    url: fileUrl({ fileId: String(fileId), datasetId: String(datasetId) }, context.publicUrl),
  };
}

export function presentPassage({ pageContent, score, metadata }: SearchHit) {
  return { text: pageContent, score, location: locationOf(metadata) };
}

export function presentMetadata({ datasetId, mimeType, size, created, extraMeta }: StoredFile) {
  return { datasetId, mimeType, size, created, extraMeta };
}

function locationOf(metadata: JsonObject): Record<string, string | number> {
  const known = Object.keys(ORIGIN_FIELDS).flatMap((name): [string, string | number][] => {
    const value: Json | undefined = metadata[name];
    return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [];
  });
  return Object.fromEntries(known);
}

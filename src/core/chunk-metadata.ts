import type { JsonObject } from './model.ts';

/** The part of the metadata of every chunk that describes its file. */
export type FileMetadata = {
  fileId: string;
  originalName: string;
  customerId: string;
  datasetId: string;
  mimeType: string;
};

/** Every field of `FileMetadata`. */
export const FILE_FIELDS: Record<keyof FileMetadata, true> = {
  fileId: true,
  originalName: true,
  customerId: true,
  datasetId: true,
  mimeType: true,
};

/** Where in its file a chunk comes from. Numbers count from 1; every field depends on the format. */
export type Origin = {
  page?: number;
  slide?: number;
  sheet?: string;
  /** The nearest heading and those above it: `Coverage > Warranty periods`. */
  heading?: string;
  /** As a spreadsheet shows it; the header is a row. */
  row?: number;
  rowEnd?: number;
  line?: number;
  lineEnd?: number;
  /** Into a JSON document: `$.server.ports[0]`. The `path` of an imported file is custom metadata. */
  jsonPath?: string;
  /** `HH:MM:SS,mmm` */
  startTime?: string;
  endTime?: string;
};

/** Every field of `Origin`. */
export const ORIGIN_FIELDS: Record<keyof Origin, true> = {
  page: true,
  slide: true,
  sheet: true,
  heading: true,
  row: true,
  rowEnd: true,
  line: true,
  lineEnd: true,
  jsonPath: true,
  startTime: true,
  endTime: true,
};

/** The metadata of a chunk: its file, its origin, and the custom metadata of the file. */
export type ChunkMetadata = JsonObject & Partial<FileMetadata> & Origin;

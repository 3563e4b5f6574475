export type FilterValue = string | number | boolean;

/** A condition on the metadata of a chunk, in the form of REST. */
export type Filter =
  | { key: string; match: { value: FilterValue } }
  | { key: string; match: { any: FilterValue[] } }
  | { key: string; match: { except: FilterValue[] } }
  | { key: string; range: { gt?: number; gte?: number; lt?: number; lte?: number } }
  | FilterGroup;

/** Meets all of `must`, at least one of `should` (if there are any) and none of `must_not`. */
export interface FilterGroup {
  must?: Filter[];
  should?: Filter[];
  must_not?: Filter[];
}

export interface Subtitle {
  id: string;
  /** `HH:MM:SS,mmm` */
  startTime: string;
  endTime: string;
  text: string;
}

export interface StoredFile {
  customerId: string;
  datasetId: string;
  /** A UUID. */
  fileId: string;
  filePath: string;
  originalName: string;
  mimeType: string | null;
  /** In bytes. */
  size: number | null;
  loaderId: string;
  /** ISO 8601. */
  created: string;
  /** With its dot, in lower case. */
  extension: string;
  transcriptionText: string | null;
  transcriptionSrt: Subtitle[] | null;
  extraMeta: Record<string, unknown> | null;
}

export interface LinkedFile extends StoredFile {
  /** A download link. */
  permanentUrl: string;
}

/** Every field of a file that a list can be asked for. */
export interface ListedFile extends LinkedFile {
  /** SHA-256 of the content, in hexadecimal; null for files of earlier versions. */
  contentHash: string | null;
}

/** A chunk of a file. */
export interface SearchHit {
  /** Higher is better. */
  score: number;
  pageContent: string;
  /** `fileId`, `originalName`, the location of the chunk in the file, and the custom metadata of the file. */
  metadata: Record<string, unknown>;
}

/** A statement of an answer, `text.slice(start, end)`, with the chunk that the model cited for it. */
export interface Citation {
  start: number;
  end: number;
  /** Whether the words of the chunk support the statement. */
  supported: boolean;
  hit: SearchHit;
}

/** An event of an answer: the sources, pieces of the text with citations, and the whole. */
export type AnswerEvent =
  | { type: 'sources'; sources: SearchHit[] }
  | { type: 'delta'; delta: string }
  | { type: 'citation'; citation: Citation }
  | { type: 'completed'; result: string; citations: Citation[] };

export interface Uploaded {
  /** In the order in which they were given. */
  files: StoredFile[];
  /** The stored file for each one that was skipped. */
  skipped: StoredFile[];
  /** The files that were replaced by new ones; empty for a token that may not read files. */
  replaced: StoredFile[];
  /** `uploadUnits` is the price in credits. */
  billed: { fileCount: number; uploadUnits: number };
}

import type { ErrorCode } from '../../src/core/errors.ts';
import type { Client } from './client.ts';

/** What came of an operation, in the same form from both transports. */
export type Outcome<T = unknown> = { result: T } | Failure;

export interface Failure {
  status: number;
  /** As in `extensions.code` and in `X-Error-Code`. */
  code: ErrorCode;
  error: string;
  /** `required` and `available`, or `retryAfterSeconds`. */
  details: Record<string, number>;
}

export interface ShownFile {
  customerId: string;
  datasetId: string;
  fileId: string;
  originalName: string;
  permanentUrl?: string;
}

export interface ShownHit {
  pageContent: string;
  metadata: unknown;
}

export interface Question {
  datasetId?: string | undefined;
  question: string;
  filters?: { key: string; match: { value: unknown } }[];
}

export interface Search extends Question {
  limit?: number;
  /** In lower case. */
  mode?: string;
}

export interface UploadedFiles {
  datasetId?: string | undefined;
  files: Record<string, string | Blob>;
  urls?: string[];
  metadata?: unknown;
  chunkSize?: number;
  chunkOverlap?: number;
}

export interface WantedToken {
  datasetId: string;
  ttlSeconds?: number;
  permissions?: string[];
  filters?: object[];
  maxCredits?: string;
}

type Named = { datasetId?: string | undefined };

/** Every operation of the gateway, as one of its transports offers it. */
export interface Transport {
  upload(client: Client, upload: UploadedFiles): Promise<Outcome<{ files: ShownFile[] }>>;
  list(client: Client, of: Named): Promise<Outcome<ShownFile[]>>;
  page(
    client: Client,
    page: Named & { limit?: number; cursor?: string | undefined },
  ): Promise<Outcome<{ files: ShownFile[]; nextCursor: string | null }>>;
  /** GraphQL has null for a file that is not there. */
  get(client: Client, file: Named & { fileId: string }): Promise<Outcome<ShownFile>>;
  remove(client: Client, file: Named & { fileId: string }): Promise<Outcome>;
  purgeDataset(client: Client, datasetId: string): Promise<Outcome<{ deleted: number }>>;
  purgeCustomer(client: Client): Promise<Outcome<{ deleted: number }>>;
  search(client: Client, search: Search): Promise<Outcome<ShownHit[]>>;
  answer(client: Client, question: Question): Promise<Outcome>;
  stream(client: Client, question: Question): Promise<Outcome>;
  createToken(
    client: Client,
    token: WantedToken,
  ): Promise<Outcome<{ token: string; expiresIn: number }>>;
  revokeToken(client: Client, tokenId: string): Promise<Outcome>;
}

/** The result of an operation that must succeed. */
export function resultOf<T>(outcome: Outcome<T>): T {
  if ('result' in outcome) return outcome.result;
  throw new Error(`${outcome.status} ${outcome.error}`);
}

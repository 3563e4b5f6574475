import type { SearchHit, StoredFile } from '../core/model.ts';

/** A file as in the contract, without `permanentUrl` and `contentHash`: JSON omits what is undefined. */
export function presentFile(file: StoredFile) {
  return { ...file, permanentUrl: undefined, contentHash: undefined };
}

/** A source of an answer. */
export function presentSource({ pageContent, metadata }: SearchHit) {
  return { pageContent, metadata };
}

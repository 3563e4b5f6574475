import type { CodeKernel } from '../codes/code-kernel.ts';
import { createCodeList, type StoredCode } from './code-list.ts';
import type { CachedContent } from './dataset-cache.ts';
import { createFilterCache } from './filter-cache.ts';
import { createFilterHashList } from './filter-hash-list.ts';
import { createLoaderList } from './loader-list.ts';
import { createTermLists } from './term-lists.ts';

/** The cached content of one dataset. Each part stores what it needs from every row. */
export function createDatasetMemory(kernel: CodeKernel) {
  const codes = createCodeList(kernel);
  const filterHashes = createFilterHashList();
  const terms = createTermLists(codes.keyAt);
  const loaders = createLoaderList();
  const filtered = createFilterCache();
  return {
    codes,
    filterHashes,
    terms,
    loaders,
    filtered,
    /**
     * The customer's unlisted files when they were last read. Searches compare them with the
     * database.
     */
    unlisted: { digest: null, loaderKeys: [] } as UnlistedFiles,
    bytes: (): number =>
      [codes, filterHashes, terms, loaders, filtered].reduce((sum, part) => sum + part.bytes(), 0),
    add(row: IndexRow): void {
      codes.add(BigInt(row.key), row);
      filterHashes.add(row.filterHashes);
      terms.add(row.length, row.terms);
      loaders.add(row.loaderKey);
      filtered.add();
    },
    free: codes.free,
  } satisfies CachedContent & Record<string, unknown>;
}

/** The loader runs of files that are being added or deleted, and a digest to detect changes. */
export interface UnlistedFiles {
  digest: string | null;
  loaderKeys: string[];
}

export type DatasetMemory = ReturnType<typeof createDatasetMemory>;

/** A row of `chunk_index`, as it is read. */
export interface IndexRow extends StoredCode {
  key: string;
  filterHashes: Buffer;
  length: number;
  terms: Buffer;
  loaderKey: string;
}

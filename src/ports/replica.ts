import type { Query } from './query.ts';

/** A dataset as the primary had it when a request looked. */
export interface DatasetState {
  customerKey: number;
  datasetKey: number;
  /** The number of the last change of its files. */
  version: number;
}

/** A read-only copy of the database, which may be behind the primary. */
export interface Replica {
  /**
   * Does work that only reads, on the copy.
   *
   * @returns nothing if the copy lacks a change of one of the datasets, cannot be asked, or the work
   *   failed there: then the primary must do it
   */
  read<T extends object>(
    datasets: readonly DatasetState[],
    work: (query: Query) => Promise<T>,
  ): Promise<T | undefined>;
}

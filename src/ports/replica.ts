import type { Query } from './query.ts';

/** The state of a dataset on the primary when a request read it. */
export interface DatasetState {
  customerKey: number;
  datasetKey: number;
  /** The number of the last change of its files. */
  version: number;
}

/** A read-only copy of the database, which may be behind the primary. */
export interface Replica {
  /**
   * Does read-only work on the replica.
   *
   * @returns nothing if the replica does not have every change of one of the datasets, cannot be reached,
   *   or the work failed there: then the primary must do it
   */
  read<T extends object>(
    datasets: readonly DatasetState[],
    work: (query: Query) => Promise<T>,
  ): Promise<T | undefined>;
}

export interface Customer {
  key: number;
  id: string;
}

/** An inconsistency in the stored data. */
export interface Drift {
  kind: string;
  datasetId: string | null;
  /** Which file, path or number. */
  what: string;
  /** Absent when it cannot be repaired. */
  repair?: () => Promise<void>;
}

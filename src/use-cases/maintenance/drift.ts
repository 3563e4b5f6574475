export interface Customer {
  key: number;
  id: string;
}

/** Something that does not agree with the rest. */
export interface Drift {
  kind: string;
  datasetId: string | null;
  /** Which file, path or number. */
  what: string;
  /** Absent where nothing can be done about it. */
  repair?: () => Promise<void>;
}

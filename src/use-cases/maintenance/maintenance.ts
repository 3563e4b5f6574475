/** The operations that keep the stored data complete and consistent; the gateway and the operator run it. */
export interface Maintenance {
  /** See `createSweep`. */
  sweep(signal?: AbortSignal): Promise<Swept>;
  /** See `createReindex`; the datasets of one customer, or of all. */
  reindex(
    options: { customer?: string | undefined; datasetId?: string | undefined },
    onProgress: ReindexProgress,
  ): Promise<{ datasets: number; chunks: number }>;
  /** See `createVerify`; the data of one customer, or of all. */
  verify(options?: VerifyOptions & { customer?: string | undefined }): Promise<Verified>;
  countIntents(): Promise<Intents>;
}

/** What a sweep did. */
export interface Swept {
  /** Files that were removed completely. */
  removed: number;
  /** Files that will be retried later. */
  failed: number;
}

/** Reports progress on a dataset, in chunks. */
export type ReindexProgress = (datasetId: string, done: number, total: number) => void;

export interface VerifyOptions {
  /** Whether to repair what can be repaired. */
  repair?: boolean | undefined;
  /**
   * Minutes for which storage and records may differ, because clocks differ and writes may be in progress;
   * 15 by default.
   */
  youngMinutes?: number | undefined;
}

export interface Verified {
  customers: number;
  /** How many drifts there are, and how many of them were repaired. */
  found: number;
  repaired: number;
  /** The first of them. */
  drifts: {
    customerId: string;
    kind: string;
    datasetId: string | null;
    what: string;
    repaired: boolean;
  }[];
}

/** The open intents. */
export interface Intents {
  /** Files that are being uploaded or deleted. */
  files: number;
  /** Charges that are not captured yet. */
  charges: number;
  /** The age of the oldest one, in seconds; 0 when there is none. */
  oldestSeconds: number;
}

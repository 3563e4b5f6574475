import type { Call } from '../core/call.ts';
import type { UseCases } from '../use-cases/index.ts';

/** The dependencies of the tools and resources of one request. */
export interface McpContext {
  useCases: UseCases;
  call: Call;
  /** Reports a failure that is not an `AppError`. */
  report: (error: unknown) => void;
  /** The version of filequery. */
  version: string;
  /** The URL of the gateway, without a slash at the end. */
  publicUrl: string;
  /** The dataset that the URL of the request names. */
  datasetId: string | undefined;
  /** Whether the token or the URL names the dataset; otherwise every tool call must. */
  hasDataset: boolean;
}

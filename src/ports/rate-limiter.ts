import type { RateStatus } from '../core/model.ts';

/** Counts calls in windows of one minute. */
export interface RateLimiter {
  /** Counts a call; `allowed` is false when the window is full. */
  consume(window: RateWindow): Promise<RateStatus & { allowed: boolean }>;
  /** The state of the window, without counting. */
  peek(window: RateWindow): Promise<RateStatus>;
}

export interface RateWindow {
  customerKey: number;
  /** What is counted together. */
  name: string;
  /** Calls a minute. */
  limit: number;
}

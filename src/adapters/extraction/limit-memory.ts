import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { REASONS } from './unreadable.ts';

/* A thread that kills its process when its parent has ended, or when it exceeds its memory limit. */

/** Resident memory grows by up to 50 MB in this time. */
const INTERVAL_MS = 20;
const MEGABYTE = 1024 * 1024;
const STANDARD_ERROR = 2;

export interface MemoryLimit {
  /** In MB of resident memory. */
  limit: number;
}

const { limit } = workerData as MemoryLimit;
const { ppid } = process;

setInterval(() => {
  // Resident memory rather than the heap: the heap limit does not include buffers.
  const isOver = process.memoryUsage.rss() > limit * MEGABYTE;
  if (isOver) writeSync(STANDARD_ERROR, `${REASONS.memory}\n`);
  if (isOver || process.ppid !== ppid) process.kill(process.pid, 'SIGKILL');
}, INTERVAL_MS);

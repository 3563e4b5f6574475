import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { REASONS } from './unreadable.ts';

/* A thread that ends its process when the parent is gone, or when it takes too much memory. */

/** In milliseconds: a file that swells does so by some 50 MB in that time. */
const BETWEEN_LOOKS = 20;
const MEGABYTE = 1024 * 1024;
const STANDARD_ERROR = 2;

export interface WatchData {
  /** Resident memory that the process may take, in MB. */
  ceiling: number;
}

const { ceiling } = workerData as WatchData;
const { ppid } = process;

setInterval(() => {
  // The limit of the heap does not count buffers: what is resident does.
  const isOver = process.memoryUsage.rss() > ceiling * MEGABYTE;
  if (isOver) writeSync(STANDARD_ERROR, `${REASONS.memory}\n`);
  if (isOver || process.ppid !== ppid) process.kill(process.pid, 'SIGKILL');
}, BETWEEN_LOOKS);

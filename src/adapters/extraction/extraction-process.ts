import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { TextChunk } from '../../ports/text-extractor.ts';
import { moduleUrl } from '../processes/child-process.ts';
import { endWithParent } from '../processes/end-with-parent.ts';
import { createChunker } from './chunker.ts';
import { loadReader } from './formats.ts';
import type { ChunkSizes } from './section-packer.ts';
import { REASONS, UnreadableError } from './unreadable.ts';
import type { WatchData } from './watch-process.ts';

/* What a process of the pool does: it reads one file after the other. */

/** Read this file, and tell what comes of it. */
export interface ExtractionTask extends ChunkSizes {
  path: string;
  format: string;
}

/** A task, or, of the task at hand: make way for a batch, or stop. */
export type ExtractionCommand = ExtractionTask | 'taken' | 'stop';

export type ExtractionMessage =
  | { type: 'started' }
  | { type: 'chunks'; chunks: TextChunk[] }
  | LastMessage;

/** After it the process waits for its next task. */
export type LastMessage = Outcome & {
  /** Whether so much of its memory is taken that another file might be charged with it. */
  swollen: boolean;
};

type Outcome =
  | { type: 'done' }
  | { type: 'stopped' }
  | { type: 'unreadable'; reason: string }
  | { type: 'failed'; error: unknown };

/** Batches sent before the first is taken: one to be worked on, one to be there when that is done. */
const AHEAD = 2;
const MEGABYTE = 1024 * 1024;
/** Resident memory that ends the process, in MB. */
const ceiling = Number(process.argv[2]);

endWithParent();
// A file may keep this thread too busy to look.
const workerData: WatchData = { ceiling };
new Worker(moduleUrl('watch-process', import.meta.url), { workerData }).unref();
process.on('message', (command: ExtractionCommand) => {
  if (typeof command === 'object') void extract(command);
});

async function extract(task: ExtractionTask): Promise<void> {
  const stopped = new AbortController();
  const { signal } = stopped;
  let room = AHEAD;
  const hear = (command: ExtractionCommand) => {
    if (command === 'stop') stopped.abort();
    else room += 1;
  };
  process.on('message', hear);
  let last: Outcome = { type: 'done' };
  try {
    tell({ type: 'started' });
    for await (const chunks of chunksOf(task, signal)) {
      while (room === 0) await once(process, 'message', { signal });
      room -= 1;
      tell({ type: 'chunks', chunks });
    }
  } catch (error) {
    last = signal.aborted ? { type: 'stopped' } : toMessage(error);
  }
  process.off('message', hear);
  tell({ ...last, swollen: process.memoryUsage.rss() > (ceiling * MEGABYTE) / 2 });
}

function tell(message: ExtractionMessage): void {
  process.send?.(message);
}

async function* chunksOf(
  { path, format, ...sizes }: ExtractionTask,
  signal: AbortSignal,
): AsyncIterable<TextChunk[]> {
  const read = await loadReader(format);
  const chunker = createChunker(sizes);
  for await (const passages of read({ path, format, signal })) {
    signal.throwIfAborted();
    const chunks = chunker.add(passages);
    if (chunks.length > 0) yield chunks;
  }
  yield chunker.end();
}

function toMessage(error: unknown): Outcome {
  if (error instanceof UnreadableError) return { type: 'unreadable', reason: error.message };
  // A string, an array or the stack has grown beyond what JavaScript can hold.
  if (error instanceof RangeError) {
    const reason = /call stack/.test(error.message) ? REASONS.tooDeep : REASONS.tooMuch;
    return { type: 'unreadable', reason };
  }
  return { type: 'failed', error };
}

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ExtractedChunk } from '../../ports/text-extractor.ts';
import { moduleUrl } from '../processes/child-process.ts';
import { endWithParent } from '../processes/end-with-parent.ts';
import { createChunker } from './chunker.ts';
import { loadReader } from './formats.ts';
import type { MemoryLimit } from './limit-memory.ts';
import type { ChunkSizes } from './section-packer.ts';
import { REASONS, UnreadableError } from './unreadable.ts';

/* The entry point of a process of the pool. It reads one file after another. */

/** A file to read. */
export interface ExtractionTask extends ChunkSizes {
  path: string;
  format: string;
}

/** `next`: a batch of chunks was consumed, send another. `stop`: cancel the current task. */
export type ExtractionCommand = ExtractionTask | 'next' | 'stop';

export type ExtractionMessage =
  | { type: 'started' }
  | { type: 'chunks'; chunks: ExtractedChunk[] }
  | LastMessage;

/** Ends a task. The process is then ready for another. */
export type LastMessage = Outcome & {
  /** Whether the process uses too much memory to read another file. */
  exhausted: boolean;
};

type Outcome =
  | { type: 'done' }
  | { type: 'stopped' }
  | { type: 'unreadable'; reason: string }
  | { type: 'failed'; error: unknown };

/** Batches sent ahead: one that is being consumed and one that is ready. */
const MAX_UNCONSUMED = 2;
const MEGABYTE = 1024 * 1024;
/** In MB of resident memory. */
const limit = Number(process.argv[2]);

endWithParent();
// In a thread of its own: reading a file may block this one.
const workerData: MemoryLimit = { limit };
new Worker(moduleUrl('limit-memory', import.meta.url), { workerData }).unref();
process.on('message', (command: ExtractionCommand) => {
  if (typeof command === 'object') void extract(command);
});

async function extract(task: ExtractionTask): Promise<void> {
  const cancellation = new AbortController();
  const { signal } = cancellation;
  let unconsumed = 0;
  const onCommand = (command: ExtractionCommand) => {
    if (command === 'stop') cancellation.abort();
    else unconsumed -= 1;
  };
  process.on('message', onCommand);
  let outcome: Outcome = { type: 'done' };
  try {
    send({ type: 'started' });
    for await (const chunks of chunksOf(task, signal)) {
      while (unconsumed >= MAX_UNCONSUMED) await once(process, 'message', { signal });
      unconsumed += 1;
      send({ type: 'chunks', chunks });
    }
  } catch (error) {
    outcome = signal.aborted ? { type: 'stopped' } : toOutcome(error);
  }
  process.off('message', onCommand);
  send({ ...outcome, exhausted: process.memoryUsage.rss() > (limit * MEGABYTE) / 2 });
}

function send(message: ExtractionMessage): void {
  process.send?.(message);
}

async function* chunksOf(
  { path, format, ...sizes }: ExtractionTask,
  signal: AbortSignal,
): AsyncIterable<ExtractedChunk[]> {
  const read = await loadReader(format);
  const chunker = createChunker(sizes);
  for await (const passages of read({ path, format, signal })) {
    signal.throwIfAborted();
    const chunks = chunker.add(passages);
    if (chunks.length > 0) yield chunks;
  }
  yield chunker.end();
}

function toOutcome(error: unknown): Outcome {
  if (error instanceof UnreadableError) return { type: 'unreadable', reason: error.message };
  // A string, an array or the stack exceeds the limits of JavaScript.
  if (error instanceof RangeError) {
    const reason = /call stack/.test(error.message) ? REASONS.tooDeep : REASONS.tooMuch;
    return { type: 'unreadable', reason };
  }
  return { type: 'failed', error };
}

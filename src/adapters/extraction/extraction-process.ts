import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ExtractedChunk, PageImage } from '../../ports/text-extractor.ts';
import { moduleUrl } from '../processes/child-process.ts';
import { endWithParent } from '../processes/end-with-parent.ts';
import { createChunker } from './chunker.ts';
import { loadReader } from './formats.ts';
import type { MemoryLimit } from './limit-memory.ts';
import type { ChunkSizes } from './section-packer.ts';
import { REASONS, UnreadableError } from './unreadable.ts';

/* The entry point of a process of the pool. It reads one file after another. */

export type ExtractionTask = ReadTask | RenderTask;

/** A file to read. */
interface ReadTask extends ChunkSizes {
  type: 'read';
  path: string;
  format: string;
  recognized: string | undefined;
}

/** A PDF of which pages that are images are rendered. */
interface RenderTask {
  type: 'render';
  path: string;
  /** Images. */
  most: number;
}

/** `next`: a part of the result was consumed, send another. `stop`: cancel the current task. */
export type ExtractionCommand = ExtractionTask | 'next' | 'stop';

export type ExtractionMessage = { type: 'started' } | ResultMessage | LastMessage;

/** A part of the result of a task. */
export type ResultMessage =
  | { type: 'chunks'; chunks: ExtractedChunk[] }
  | { type: 'page'; page: PageImage };

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

/** Chunks in a batch, at least: a batch is embedded and stored at once. */
const BATCH = 100;
/** Parts sent ahead: one that is being consumed and one that is ready. */
const MAX_UNCONSUMED = 2;
const MEGABYTE = 1024 * 1024;
/** In MB of resident memory. */
const limit = Number(process.argv[2]);

endWithParent();
// In a separate thread: reading a file may block this one.
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
    for await (const result of resultsOf(task, signal)) {
      while (unconsumed >= MAX_UNCONSUMED) await once(process, 'message', { signal });
      unconsumed += 1;
      send(result);
    }
  } catch (error) {
    // After a trap, a library in WebAssembly cannot be used again.
    if (error instanceof WebAssembly.RuntimeError) process.exit(1);
    outcome = signal.aborted ? { type: 'stopped' } : toOutcome(error);
  }
  process.off('message', onCommand);
  send({ ...outcome, exhausted: process.memoryUsage.rss() > (limit * MEGABYTE) / 2 });
}

function send(message: ExtractionMessage): void {
  process.send?.(message);
}

async function* resultsOf(task: ExtractionTask, signal: AbortSignal): AsyncIterable<ResultMessage> {
  if (task.type === 'read') {
    for await (const chunks of chunksOf(task, signal)) yield { type: 'chunks', chunks };
  } else {
    const { renderPages } = await import('./pdf/render-pages.ts');
    for await (const page of renderPages({ ...task, signal })) yield { type: 'page', page };
  }
}

async function* chunksOf(
  { path, format, recognized, ...sizes }: ReadTask,
  signal: AbortSignal,
): AsyncIterable<ExtractedChunk[]> {
  const read = await loadReader(format);
  const chunker = createChunker(sizes);
  let batch: ExtractedChunk[] = [];
  for await (const passages of read({ path, format, recognized, signal })) {
    signal.throwIfAborted();
    batch = batch.concat(chunker.add(passages));
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  yield batch.concat(chunker.end());
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

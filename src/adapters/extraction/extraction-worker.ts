import { once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import type { TextChunk } from '../../ports/text-extractor.ts';
import { createChunker } from './chunker.ts';
import { loadReader } from './formats.ts';
import type { ChunkSizes } from './section-packer.ts';
import { REASONS, UnreadableError } from './unreadable.ts';

/** Read this file, and tell the port what comes of it. */
export interface ExtractionTask extends ChunkSizes {
  path: string;
  format: string;
  port: MessagePort;
}

export type ExtractionMessage =
  | { type: 'started' }
  | { type: 'chunks'; chunks: TextChunk[] }
  | LastMessage;

export type LastMessage =
  | { type: 'done' }
  | { type: 'unreadable'; reason: string }
  | { type: 'failed'; error: unknown };

/** Batches sent before the first is taken: one to be worked on, one to be there when that is done. */
const AHEAD = 2;

/** What a thread of the pool does. A message to the port makes way for a batch, or is `stop`. */
export async function extract({ port, ...task }: ExtractionTask): Promise<void> {
  const tell = (message: ExtractionMessage) => port.postMessage(message);
  const stopped = new AbortController();
  const { signal } = stopped;
  let room = AHEAD;
  port.on('message', (message) => {
    if (message === 'stop') stopped.abort();
    else room += 1;
  });

  try {
    tell({ type: 'started' });
    for await (const chunks of chunksOf(task, signal)) {
      while (room === 0) await once(port, 'message', { signal });
      room -= 1;
      tell({ type: 'chunks', chunks });
    }
    tell({ type: 'done' });
  } catch (error) {
    if (!signal.aborted) tell(toMessage(error));
  } finally {
    port.removeAllListeners('message');
  }
}

async function* chunksOf(
  { path, format, ...sizes }: Omit<ExtractionTask, 'port'>,
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

function toMessage(error: unknown): LastMessage {
  if (error instanceof UnreadableError) return { type: 'unreadable', reason: error.message };
  // A string, an array or the stack has grown beyond what JavaScript can hold.
  if (error instanceof RangeError) {
    const reason = /call stack/.test(error.message) ? REASONS.tooDeep : REASONS.tooMuch;
    return { type: 'unreadable', reason };
  }
  return { type: 'failed', error };
}

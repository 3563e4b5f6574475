import { on } from 'node:events';
import { availableParallelism } from 'node:os';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { AppError } from '../../core/errors.ts';
import type { TextChunk, TextExtractor } from '../../ports/text-extractor.ts';
import type { ExtractionMessage, ExtractionTask, LastMessage } from './extraction-worker.ts';
import { identifyFile } from './identify-file.ts';
import { REASONS, UnreadableError } from './unreadable.ts';

export interface TextExtractorOptions {
  /** Threads that are kept warm; by default one less than the machine has cores. */
  threads?: number;
  /** Threads at most: a file whose chunks are taken slowly keeps its own. By default 4 more. */
  maxThreads?: number;
  /** Heap of a thread, in MB; 1024 by default. */
  memory?: number;
  /** Seconds that a file may keep its caller waiting in all; 300 by default. */
  timeLimit?: number;
}

/** Milliseconds that a thread has to stop by itself; it stays warm if it does. */
const GRACE = 1000;

/** Reads files in threads, and hands the chunks on as fast as they are taken. */
export function createTextExtractor(options: TextExtractorOptions = {}): TextExtractor {
  const { memory = 1024, timeLimit = 300 } = options;
  const threads = options.threads ?? Math.max(1, availableParallelism() - 1);
  const pool = new Piscina<ExtractionTask, void>({
    filename: new URL('./extraction-worker.ts', import.meta.url).href,
    name: 'extract',
    minThreads: threads,
    maxThreads: options.maxThreads ?? threads + 4,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: memory },
    // A thread that slept in Atomics.wait could not look after the processes that read PDFs.
    atomics: 'disabled',
  });
  // A thread that dies between two files is replaced, which is all there is to be done.
  pool.on('error', () => {});

  return {
    identify: identifyFile,

    async *extract(file, { format }, { chunkSize, chunkOverlap, signal }) {
      if (file.size === 0) return;
      const { port1: port, port2 } = new MessageChannel();
      const task = { path: file.path, format, chunkSize, chunkOverlap, port: port2 };
      const killed = new AbortController();
      const failed = new AbortController();
      const run = pool.run(task, { transferList: [port2], signal: killed.signal });
      run.catch((error) => failed.abort(causeOfDeath(error)));
      try {
        const last = yield* chunksFrom(port, signal, failed, timeLimit);
        if (last.type === 'failed') throw last.error;
        if (last.type === 'unreadable') throw new UnreadableError(last.reason);
      } catch (error) {
        signal.throwIfAborted();
        const cause = failed.signal.aborted ? failed.signal.reason : error;
        if (!(cause instanceof UnreadableError)) throw cause;
        throw new AppError('UNREADABLE_FILE', { file: file.originalName, reason: cause.message });
      } finally {
        // What is given up half-way must not go on. A thread that does not hear of it is ended.
        port.postMessage('stop');
        const kill = setTimeout(() => killed.abort(), GRACE);
        run
          .catch(() => {})
          .finally(() => {
            clearTimeout(kill);
            port.close();
          });
      }
    },

    close: () => pool.destroy(),
  };
}

/** What a thread sends, up to its last message. Asks for the next chunks when some were taken. */
async function* chunksFrom(
  port: MessagePort,
  signal: AbortSignal,
  failed: AbortController,
  timeLimit: number,
): AsyncGenerator<TextChunk[], LastMessage> {
  const messages = on(port, 'message', { signal: AbortSignal.any([signal, failed.signal]) });
  let [left, asked] = [timeLimit * 1000, 0];
  let timer: NodeJS.Timeout | undefined;
  try {
    for await (const [message] of messages as AsyncIterable<[ExtractionMessage]>) {
      clearTimeout(timer);
      if (message.type === 'chunks') {
        left -= performance.now() - asked;
        yield message.chunks;
        port.postMessage('taken');
      } else if (message.type !== 'started') {
        return message;
      }
      // Time in the queue does not count, nor does time with whoever takes the chunks.
      asked = performance.now();
      timer = setTimeout(() => failed.abort(new UnreadableError(REASONS.tooSlow)), left);
    }
  } finally {
    clearTimeout(timer);
  }
  throw new Error('The thread has closed its port.');
}

function causeOfDeath(error: unknown): UnreadableError {
  const outOfMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
  return new UnreadableError(outOfMemory ? REASONS.memory : REASONS.broken, { cause: error });
}

import { on } from 'node:events';
import { availableParallelism } from 'node:os';
import { AppError } from '../../core/errors.ts';
import type { TextChunk, TextExtractor } from '../../ports/text-extractor.ts';
import { type Ending, startChild } from '../child-process.ts';
import type {
  ExtractionCommand,
  ExtractionMessage,
  ExtractionTask,
  LastMessage,
} from './extraction-process.ts';
import { identifyFile } from './identify-file.ts';
import { createProcessPool, type Poolable } from './process-pool.ts';
import { REASONS, UnreadableError } from './unreadable.ts';

export interface TextExtractorOptions {
  /** Processes that stay once they are started; by default one less than the machine has cores. */
  processes?: number;
  /** Processes at most: a file whose chunks are taken slowly keeps its own. By default 4 more. */
  maxProcesses?: number;
  /** Heap of a process, in MB; 1024 by default. */
  memory?: number;
  /** Seconds that a file may keep its caller waiting in all; 300 by default. */
  timeLimit?: number;
}

/** Milliseconds that a process has to stop by itself; it stays if it does. */
const GRACE = 1000;

/** Reads files in processes, and hands the chunks on as fast as they are taken. */
export function createTextExtractor(options: TextExtractorOptions = {}): TextExtractor {
  const { memory = 1024, timeLimit = 300 } = options;
  const warm = options.processes ?? Math.max(1, availableParallelism() - 1);
  const most = options.maxProcesses ?? warm + 4;
  const pool = createProcessPool({ start: () => startReader(memory), warm, most });

  return {
    identify: identifyFile,

    async *extract(file, { format }, { chunkSize, chunkOverlap, signal }) {
      if (file.size === 0) return;
      const reader = await pool.take(signal);
      const finished = reader.read({ path: file.path, format, chunkSize, chunkOverlap });
      try {
        const last = yield* chunksFrom(reader, signal, timeLimit);
        if (last.type === 'failed') throw last.error;
        if (last.type === 'unreadable') throw new UnreadableError(last.reason);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof UnreadableError)) throw error;
        throw new AppError('UNREADABLE_FILE', { file: file.originalName, reason: error.message });
      } finally {
        // What is given up half-way must not go on. A process that does not hear of it is ended.
        reader.tell('stop');
        const kill = setTimeout(reader.kill, GRACE);
        void finished.then(() => {
          clearTimeout(kill);
          pool.give(reader);
        });
      }
    },

    close: pool.close,
  };
}

/** A process that reads files. The reason why it is gone tells what its file has to do with it. */
interface Reader extends Poolable {
  /** Begins with a file. @returns the end of it, or of the process */
  read(task: ExtractionTask): Promise<void>;
  tell(command: ExtractionCommand): void;
  /** What it says, until the signal is aborted or it is gone. */
  hear(signal: AbortSignal): AsyncIterable<[ExtractionMessage]>;
}

function startReader(memory: number): Reader {
  const module = new URL('./extraction-process.ts', import.meta.url);
  const execArgv = [`--max-old-space-size=${memory}`];
  const { process: child, ended } = startChild(module, { execArgv });
  const gone = new AbortController();
  let finish = () => {};
  void ended.then((ending) => {
    gone.abort(causeOfDeath(ending));
    finish();
  });
  child.on('message', ({ type }: ExtractionMessage) => {
    if (type !== 'started' && type !== 'chunks') finish();
  });
  // One that has ended hears nothing, and that it has is told by its end.
  const tell = (command: ExtractionCommand) => child.send(command, () => {});
  return {
    gone: gone.signal,
    tell,
    read(task) {
      const { promise, resolve } = Promise.withResolvers<void>();
      finish = resolve;
      tell(task);
      return promise;
    },
    hear(signal) {
      const either = AbortSignal.any([signal, gone.signal]);
      return on(child, 'message', { signal: either }) as AsyncIterable<[ExtractionMessage]>;
    },
    kill: () => child.kill('SIGKILL'),
  };
}

/** What a process says of its file, up to its last message. Asks for the next chunks when some were taken. */
async function* chunksFrom(
  { gone, hear, tell }: Reader,
  signal: AbortSignal,
  timeLimit: number,
): AsyncGenerator<TextChunk[], LastMessage> {
  const late = new AbortController();
  let [left, asked] = [timeLimit * 1000, 0];
  let timer: NodeJS.Timeout | undefined;
  try {
    for await (const [message] of hear(AbortSignal.any([signal, late.signal]))) {
      clearTimeout(timer);
      if (message.type === 'chunks') {
        left -= performance.now() - asked;
        yield message.chunks;
        tell('taken');
      } else if (message.type !== 'started') {
        return message;
      }
      // Time in the queue does not count, nor does time with whoever takes the chunks.
      asked = performance.now();
      timer = setTimeout(() => late.abort(), left);
    }
  } catch (error) {
    if (late.signal.aborted) throw new UnreadableError(REASONS.tooSlow);
    throw gone.aborted ? gone.reason : error;
  } finally {
    clearTimeout(timer);
  }
  throw new Error('The process says nothing any more.');
}

function causeOfDeath(ending: Ending): UnreadableError {
  const outOfMemory = /heap out of memory/.test(ending.said);
  return new UnreadableError(outOfMemory ? REASONS.memory : REASONS.crashed, { cause: ending });
}

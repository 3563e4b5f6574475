import { on } from 'node:events';
import { availableParallelism } from 'node:os';
import { AppError } from '../../core/errors.ts';
import type { TextChunk, TextExtractor } from '../../ports/text-extractor.ts';
import { type Ending, moduleUrl, startChild } from '../processes/child-process.ts';
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
  /** Heap of a process, in MB; 1024 by default. With its buffers it may take `BUFFERS` more. */
  memory?: number;
  /** Seconds that a file may keep its caller waiting in all; by default as its size asks. */
  timeLimit?: number;
}

/** In MB: a file of 100 MB and a copy of it, what it unpacks to, and the libraries. */
const BUFFERS = 512;

/** Milliseconds that a process has to stop by itself; it stays if it does. */
const GRACE = 1000;
/** What V8 says when the heap is full, or one value is larger than it can ever be. */
const OUT_OF_HEAP = /heap out of memory|invalid size error|invalid table size/;

/** Reads files in processes, and hands the chunks on as fast as they are taken. */
export function createTextExtractor(options: TextExtractorOptions = {}): TextExtractor {
  const { memory = 1024, timeLimit } = options;
  const warm = options.processes ?? Math.max(1, availableParallelism() - 1);
  const most = options.maxProcesses ?? warm + 4;
  const pool = createProcessPool({ start: () => startReader(memory), warm, most });

  return {
    identify: identifyFile,

    async *extract(file, { format }, { owner, chunkSize, chunkOverlap, signal }) {
      if (file.size === 0) return;
      const reader = await pool.take({ owner, size: file.size }, signal);
      const finished = reader.read({ path: file.path, format, chunkSize, chunkOverlap });
      try {
        const last = yield* chunksFrom(reader, signal, timeLimit ?? timeFor(file.size));
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
        void finished.then((swollen) => {
          clearTimeout(kill);
          // The next file is not to be charged with what this one has left behind.
          if (swollen) reader.kill();
          else pool.give(reader);
        });
      }
    },

    close: pool.close,
  };
}

/** Seconds for a file: twice what a megabyte of pages of dense text takes, on a busy machine. */
function timeFor(bytes: number): number {
  return Math.min(30 + bytes / 1e5, 300);
}

/** A process that reads files. The reason why it is gone tells what its file has to do with it. */
interface Reader extends Poolable {
  /**
   * Begins with a file.
   *
   * @returns at the end of it, or of the process, whether it has grown too large for another
   */
  read(task: ExtractionTask): Promise<boolean>;
  tell(command: ExtractionCommand): void;
  /** What it says, until the signal is aborted or it is gone. */
  hear(signal: AbortSignal): AsyncIterable<[ExtractionMessage]>;
}

function startReader(memory: number): Reader {
  const module = moduleUrl('extraction-process', import.meta.url);
  const execArgv = [`--max-old-space-size=${memory}`];
  const args = [`${memory + BUFFERS}`];
  const { process: child, ended } = startChild(module, { args, execArgv });
  const gone = new AbortController();
  let finish = (_swollen: boolean) => {};
  void ended.then((ending) => {
    gone.abort(causeOfDeath(ending));
    finish(false);
  });
  child.on('message', (message: ExtractionMessage) => {
    if (message.type !== 'started' && message.type !== 'chunks') finish(message.swollen);
  });
  // One that has ended hears nothing, and that it has is told by its end.
  const tell = (command: ExtractionCommand) => child.send(command, () => {});
  return {
    gone: gone.signal,
    tell,
    read(task) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
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
      timer = setTimeout(() => late.abort(), Math.max(left, 1));
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
  const outOfMemory = ending.stderr.includes(REASONS.memory) || OUT_OF_HEAP.test(ending.stderr);
  return new UnreadableError(outOfMemory ? REASONS.memory : REASONS.crashed, { cause: ending });
}

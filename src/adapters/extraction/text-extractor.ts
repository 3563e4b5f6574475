import { availableParallelism } from 'node:os';
import { AppError } from '../../core/errors.ts';
import type { SpooledFile } from '../../core/model.ts';
import type { TextExtractor } from '../../ports/text-extractor.ts';
import { convertOffice, removeConversion } from './convert-office.ts';
import type { ExtractionTask, LastMessage, ResultMessage } from './extraction-process.ts';
import { identifyFile, noOffice } from './identify-file.ts';
import { OLD_FORMATS } from './old-office.ts';
import { createProcessPool } from './process-pool.ts';
import { type ReaderProcess, startReaderProcess } from './reader-process.ts';
import { REASONS, UnreadableError } from './unreadable.ts';

export interface TextExtractorOptions {
  /** Processes that are kept once started. Default: one less than the number of CPU cores. */
  processes?: number;
  /** Processes at most. One is occupied until its last chunk is consumed. Default: 4 more. */
  maxProcesses?: number;
  /** The heap limit of a process, in MB. Default: 1024. Buffers may take another 512 MB. */
  memory?: number;
  /** Seconds of processing time allowed for a file. Default: depends on its size. */
  timeLimit?: number;
  /** The path of LibreOffice's program. Without it, documents of old Office versions are rejected. */
  office?: string | undefined;
}

/** Seconds for the start of LibreOffice on a busy machine. */
const OFFICE_START = 60;
/** Seconds to render pages: even a small file may have many. */
const RENDER_SECONDS = 300;
/** Milliseconds that a process has to stop reading before it is killed. */
const STOP_TIMEOUT_MS = 1000;

/** Reads files in child processes. A process reads no faster than its chunks are consumed. */
export function createTextExtractor(options: TextExtractorOptions = {}): TextExtractor {
  const { memory = 1024, timeLimit, office } = options;
  const minProcesses = options.processes ?? Math.max(1, availableParallelism() - 1);
  const maxProcesses = options.maxProcesses ?? minProcesses + 4;
  const start = () => startReaderProcess(memory);
  const pool = createProcessPool({ start, minProcesses, maxProcesses });

  return {
    identify: (file) => identifyFile(file, { hasOffice: office !== undefined }),

    async *extract(file, { format }, { owner, chunkSize, chunkOverlap, recognized, signal }) {
      if (file.size === 0) return;
      const old = OLD_FORMATS[format];
      const task = { type: 'read', format, recognized, chunkSize, chunkOverlap } as const;
      const prepare = async () => {
        if (!old) return { ...task, path: file.path };
        if (!office) throw noOffice(file);
        const path = await convertOffice(file.path, {
          ...{ office, signal, format: old },
          timeLimit: OFFICE_START + Math.ceil(timeLimitFor(file.size)),
        });
        return { ...task, path, format: old.convertTo };
      };
      try {
        const options = { owner, signal, seconds: timeLimitFor(file.size) };
        for await (const result of run(prepare, file, options)) {
          if (result.type === 'chunks') yield result.chunks;
        }
      } finally {
        if (old) await removeConversion(file.path);
      }
    },

    async renderPages(file, { owner, most, signal }) {
      const prepare = async () => ({ type: 'render', path: file.path, most }) as const;
      const options = { owner, signal, seconds: RENDER_SECONDS };
      const results = await Array.fromAsync(run(prepare, file, options));
      return results.flatMap((result) => (result.type === 'page' ? result.page : []));
    },

    close: pool.close,
  };

  /** Runs a task in a process of the pool, which is also held while the task is prepared. */
  async function* run(
    prepare: () => Promise<ExtractionTask>,
    { originalName, size }: SpooledFile,
    { owner, signal, seconds }: { owner: string; signal: AbortSignal; seconds: number },
  ): AsyncGenerator<ResultMessage, void, undefined> {
    const reader = await pool.acquire({ owner, size }, signal);
    let finished = Promise.resolve(false);
    try {
      finished = reader.read(await prepare());
      const last = yield* resultsFrom(reader, signal, timeLimit ?? seconds);
      if (last.type === 'failed') throw last.error;
      if (last.type === 'unreadable') throw new UnreadableError(last.reason);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof UnreadableError)) throw error;
      throw new AppError('UNREADABLE_FILE', { file: originalName, reason: error.message });
    } finally {
      // The caller may have stopped early. A process that does not stop as well is killed.
      reader.send('stop');
      const killTimer = setTimeout(reader.kill, STOP_TIMEOUT_MS);
      void finished.then((exhausted) => {
        clearTimeout(killTimer);
        // Memory that one file has left behind must not count against the next.
        if (exhausted) reader.kill();
        else pool.release(reader);
      });
    }
  }
}

/** Seconds for a file: twice the time that dense text takes per megabyte on a busy machine. */
function timeLimitFor(bytes: number): number {
  return Math.min(30 + bytes / 1e5, 300);
}

/** Yields what the process extracts from its file. Returns its last message. */
async function* resultsFrom(
  { ended, messages, send }: ReaderProcess,
  signal: AbortSignal,
  timeLimit: number,
): AsyncGenerator<ResultMessage, LastMessage> {
  const timeout = new AbortController();
  let [leftMs, requestedAt] = [timeLimit * 1000, 0];
  let timer: NodeJS.Timeout | undefined;
  try {
    for await (const [message] of messages(AbortSignal.any([signal, timeout.signal]))) {
      clearTimeout(timer);
      if ('exhausted' in message) return message;
      if (message.type !== 'started') {
        leftMs -= performance.now() - requestedAt;
        yield message;
        send('next');
      }
      // Only reading counts: neither time in the queue nor time until chunks are consumed.
      requestedAt = performance.now();
      timer = setTimeout(() => timeout.abort(), Math.max(leftMs, 1));
    }
  } catch (error) {
    if (timeout.signal.aborted) throw new UnreadableError(REASONS.tooSlow);
    throw ended.aborted ? ended.reason : error;
  } finally {
    clearTimeout(timer);
  }
  throw new Error('The process sent no last message.');
}

import { on } from 'node:events';
import { type Ending, moduleUrl, startChild } from '../processes/child-process.ts';
import type { ExtractionCommand, ExtractionMessage, ExtractionTask } from './extraction-process.ts';
import type { PooledProcess } from './process-pool.ts';
import { REASONS, UnreadableError } from './unreadable.ts';

/** A child process that reads files. `ended.reason` is an `UnreadableError`. */
export interface ReaderProcess extends PooledProcess {
  /**
   * Starts a task with a file.
   *
   * @returns when the file or the process has ended: whether the process uses too much memory to
   * read another file
   */
  read(task: ExtractionTask): Promise<boolean>;
  send(command: ExtractionCommand): void;
  /** Messages of the process, until the signal is aborted or the process ends. */
  messages(signal: AbortSignal): AsyncIterable<[ExtractionMessage]>;
}

/** In MB, outside the heap: a file of 100 MB, a copy of it, its unpacked content, and libraries. */
const BUFFERS = 512;
/** V8's messages when the heap is full, or when one value exceeds the limits of V8. */
const OUT_OF_HEAP = /heap out of memory|invalid size error|invalid table size/;

/** @param memory the heap limit, in MB */
export function startReaderProcess(memory: number): ReaderProcess {
  const module = moduleUrl('extraction-process', import.meta.url);
  const execArgv = [`--max-old-space-size=${memory}`];
  const args = [`${memory + BUFFERS}`];
  const child = startChild(module, { args, execArgv });
  const ended = new AbortController();
  let finish = (_exhausted: boolean) => {};
  void child.ended.then((ending) => {
    ended.abort(toUnreadableError(ending));
    finish(false);
  });
  child.process.on('message', (message: ExtractionMessage) => {
    if ('exhausted' in message) finish(message.exhausted);
  });
  // A failure to send means that the process has ended, which `ended` reports.
  const send = (command: ExtractionCommand) => child.process.send(command, () => {});
  return {
    ended: ended.signal,
    send,
    read(task) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      finish = resolve;
      send(task);
      return promise;
    },
    messages(signal) {
      const either = AbortSignal.any([signal, ended.signal]);
      return on(child.process, 'message', { signal: either }) as AsyncIterable<[ExtractionMessage]>;
    },
    kill: () => child.process.kill('SIGKILL'),
  };
}

function toUnreadableError(ending: Ending): UnreadableError {
  const outOfMemory = ending.stderr.includes(REASONS.memory) || OUT_OF_HEAP.test(ending.stderr);
  return new UnreadableError(outOfMemory ? REASONS.memory : REASONS.crashed, { cause: ending });
}

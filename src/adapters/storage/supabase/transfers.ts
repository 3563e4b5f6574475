import { Readable, Transform } from 'node:stream';
import { StorageFailure } from './storage-failure.ts';

/** Aborts a transfer that makes no progress. */
export interface IdleLimit {
  signal: AbortSignal;
  /** Restarts the timeout, because bytes were transferred. */
  restart(): void;
  /** Stops the timeout until the next `restart`. */
  pause(): void;
}

/** @param ms the timeout without progress */
export function startIdleLimit(ms: number): IdleLimit {
  const stop = new AbortController();
  const end = () => stop.abort(new Error(`no byte moved for ${ms / 1000} s`));
  let timer = setTimeout(end, ms);
  return {
    signal: stop.signal,
    restart() {
      clearTimeout(timer);
      timer = setTimeout(end, ms);
    },
    pause: () => clearTimeout(timer),
  };
}

/** The body of an upload failed or has the wrong size; the server is not to blame. */
export class BodyError extends Error {}

/**
 * The bytes of an upload; destroying them closes the body.
 *
 * @param size how many there must be
 */
export function uploading(body: Readable, size: number, idle: IdleLimit): Readable {
  let passed = 0;
  const differs = () =>
    new BodyError('unreadable', {
      cause: new Error(`the body is not of the ${size} bytes it was said to be`),
    });
  const bytes = new Transform({
    transform(chunk, _, done) {
      idle.restart();
      passed += chunk.length;
      done(passed > size ? differs() : null, chunk);
    },
    flush: (done) => done(passed < size ? differs() : null),
  });
  body.once('error', (cause) => bytes.destroy(new BodyError('unreadable', { cause })));
  bytes.once('close', () => body.destroy());
  // Readers get the error; after the end there may be none, and it must not be unhandled.
  bytes.on('error', () => {});
  return body.pipe(bytes);
}

/** The bytes of a download; the time that its reader takes is not counted. */
export function downloading(body: ReadableStream<Uint8Array>, idle: IdleLimit): Readable {
  const reader = body.getReader();
  return new Readable({
    async read() {
      idle.restart();
      try {
        const { done, value } = await reader.read();
        this.push(done ? null : value);
      } catch (error) {
        this.destroy(new StorageFailure('a download', error as Error));
      } finally {
        idle.pause();
      }
    },
    destroy(error, done) {
      idle.pause();
      reader.cancel(error).then(
        () => done(error),
        () => done(error),
      );
    },
  });
}

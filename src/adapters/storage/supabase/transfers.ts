import { Readable, Transform } from 'node:stream';
import { StorageFailure } from './storage-failure.ts';

/** Ends a transfer that stands still. */
export interface IdleLimit {
  signal: AbortSignal;
  /** Bytes moved: the time begins anew. */
  moved(): void;
  /** Nothing has to move until it is `moved` again. */
  rest(): void;
}

/** @param ms how long nothing may move */
export function limitIdling(ms: number): IdleLimit {
  const stop = new AbortController();
  const end = () => stop.abort(new Error(`no byte moved for ${ms / 1000} s`));
  let timer = setTimeout(end, ms);
  return {
    signal: stop.signal,
    moved() {
      clearTimeout(timer);
      timer = setTimeout(end, ms);
    },
    rest: () => clearTimeout(timer),
  };
}

/** What was to be uploaded is not what was said: no fault of the server. */
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
      idle.moved();
      passed += chunk.length;
      done(passed > size ? differs() : null, chunk);
    },
    flush: (done) => done(passed < size ? differs() : null),
  });
  body.once('error', (cause) => bytes.destroy(new BodyError('unreadable', { cause })));
  bytes.once('close', () => body.destroy());
  // Who reads the bytes hears of it; at the end there may be nobody.
  bytes.on('error', () => {});
  return body.pipe(bytes);
}

/** The bytes of a download; the time that its reader takes is not counted. */
export function downloading(body: ReadableStream<Uint8Array>, idle: IdleLimit): Readable {
  const reader = body.getReader();
  return new Readable({
    async read() {
      idle.moved();
      try {
        const { done, value } = await reader.read();
        this.push(done ? null : value);
      } catch (error) {
        this.destroy(new StorageFailure('a download', error as Error));
      } finally {
        idle.rest();
      }
    },
    destroy(error, done) {
      idle.rest();
      reader.cancel(error).then(
        () => done(error),
        () => done(error),
      );
    },
  });
}

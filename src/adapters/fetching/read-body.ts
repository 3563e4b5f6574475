import type { IncomingMessage } from 'node:http';
import { pipeline, type Transform } from 'node:stream';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib';
import { LEAST_BYTES } from '../../core/limits.ts';
import { REASONS, UnfetchableError } from './unfetchable.ts';

/** Some servers compress what they store, whatever the client accepts. */
const DECODERS = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
  ['zstd', createZstdDecompress],
]);

/** The encoding of a body; undefined when it is sent as it is. */
export function encodingOf({ headers }: IncomingMessage): string | undefined {
  const encoding = headers['content-encoding']?.trim().toLowerCase();
  return encoding === 'identity' ? undefined : encoding || undefined;
}

/**
 * The content of a response, decoded while it is being read: the reader limits its size.
 *
 * @param intervalMs in which the next 30 kB must arrive
 * @throws UnfetchableError, and errors of the connection
 */
export async function* readBody(
  response: IncomingMessage,
  intervalMs: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoding = encodingOf(response);
  const body = inTime(response, intervalMs);
  try {
    yield* encoding === undefined ? body : decode(body, encoding);
  } finally {
    response.destroy();
  }
}

async function* inTime(response: IncomingMessage, intervalMs: number): AsyncGenerator<Uint8Array> {
  let received = 0;
  let isWaiting = true;
  const timer = setInterval(() => {
    if (isWaiting && received < LEAST_BYTES) {
      response.destroy(new UnfetchableError(REASONS.tooSlow));
    }
    received = 0;
  }, intervalMs);
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      received += part.length;
      isWaiting = false;
      yield part;
      isWaiting = true;
    }
  } finally {
    clearInterval(timer);
  }
}

async function* decode(
  body: AsyncIterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<Uint8Array> {
  const decoder = DECODERS.get(encoding)?.();
  if (!decoder) throw new UnfetchableError(REASONS.encoding);
  let isUndecodable = false;
  // The decoder also reports a failure of the body.
  decoder.once('error', ({ code }: NodeJS.ErrnoException) => {
    isUndecodable = /^(?:Z_|ERR_|ZSTD_)/.test(code ?? '');
  });
  try {
    yield* pipeline(body, decoder, () => {}) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw isUndecodable ? new UnfetchableError(REASONS.encoding) : error;
  }
}

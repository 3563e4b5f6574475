/**
 * A response body from pieces of text, produced as the client reads them.
 *
 * @param onCancel called when the client disconnects, before `pieces.return()`: a generator that is
 *   waiting would run its `finally` blocks only after the wait
 */
export function textStream(
  pieces: AsyncGenerator<string, void, undefined>,
  onCancel: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      onCancel();
      await pieces.return();
    },
  });
}

/** Tells buffering proxies to forward a stream immediately. */
export const UNBUFFERED = { 'x-accel-buffering': 'no' } as const;

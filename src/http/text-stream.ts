/**
 * A body from pieces of text, written as the reader takes them.
 *
 * @param onCancel called at once when the reader goes away, before the pieces are told: a generator
 *   that waits for something hears of its end only when the waiting is over
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

/** Proxies that buffer would hold a stream back until it is complete. */
export const UNBUFFERED = { 'x-accel-buffering': 'no' } as const;

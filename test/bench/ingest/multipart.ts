import { Readable } from 'node:stream';

const BOUNDARY = 'filequery-bench-boundary';

/** A form with files, streamed as it is written. */
export function multipartOf(
  datasetId: string,
  files: { name: string; content: () => Iterable<Uint8Array> | AsyncIterable<Uint8Array> }[],
): { body: ReadableStream<Uint8Array>; headers: Record<string, string> } {
  async function* parts(): AsyncGenerator<Uint8Array> {
    yield head(`name="datasetId"`);
    yield Buffer.from(datasetId);
    for (const { name, content } of files) {
      yield head(`name="file"; filename="${name}"`);
      yield* content();
    }
    yield Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
  }
  return {
    body: Readable.toWeb(Readable.from(parts())) as ReadableStream<Uint8Array>,
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  };
}

function head(disposition: string): Buffer {
  return Buffer.from(`\r\n--${BOUNDARY}\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n`);
}

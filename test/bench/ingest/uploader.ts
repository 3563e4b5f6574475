import { createReadStream } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { multipartOf } from './multipart.ts';

/** What a thread uploads, and where. */
export interface UploaderData {
  url: string;
  apiKey: string;
  path: string;
}

/* Uploads a file: in a thread of its own, so that nobody waits who measures meanwhile. */
const { url, apiKey, path } = workerData as UploaderData;
const { body, headers } = multipartOf('memory', [
  { name: 'text.txt', content: () => createReadStream(path) },
]);
const response = await fetch(`${url}/v1/files/upload`, {
  method: 'POST',
  headers: { authorization: `Bearer ${apiKey}`, ...headers },
  body,
  duplex: 'half',
} as RequestInit);
if (!response.ok) throw new Error(`upload: ${response.status} ${await response.text()}`);

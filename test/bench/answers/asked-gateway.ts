import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { readConfig } from '../../../src/config/config.ts';
import { createApp } from '../../../src/runtime/create-app.ts';
import { createLog } from '../../../src/runtime/log.ts';
import { createScratchPlace } from '../report/scratch-place.ts';

/** A chunk or a source, as REST gives it. */
export interface Found {
  pageContent: string;
  metadata: { originalName: string };
}

const DATASET = 'bench';
const FILES_AT_ONCE = 20;

/** A gateway of its own with the offline models, no rate limits, and the files in one dataset. */
export async function startAskedGateway(paths: string[]) {
  const { settings, remove } = await createScratchPlace();
  const models = { CHAT_MODEL: 'offline', EMBEDDING_MODEL: 'offline' };
  const unlimited = async () => ({ allowed: true, limit: 1, remaining: 1, resetSeconds: 1 });
  const app = await createApp(
    readConfig({ ...settings, ...models }),
    createLog('error'),
    (deps) => ({ ...deps, rateLimiter: { consume: unlimited, peek: unlimited } }),
  );
  const { apiKey } = await app.admin.createCustomer({ name: 'bench', credits: null });

  for (let first = 0; first < paths.length; first += FILES_AT_ONCE) {
    const form = new FormData();
    form.set('datasetId', DATASET);
    for (const path of paths.slice(first, first + FILES_AT_ONCE)) {
      form.append('file', await openAsBlob(path), basename(path));
    }
    await post('/v1/files/upload', form);
  }

  return {
    /** The first chunks of a hybrid search. */
    async search(question: string, limit: number): Promise<Found[]> {
      const { data } = await post('/v1/search', { question, limit, mode: 'hybrid' });
      return data;
    },

    async answer(question: string): Promise<{ result: string; sources: Found[] }> {
      const { data } = await post('/v1/query', { question, stream: false });
      return data;
    },

    async close() {
      await app.close();
      await remove();
    },
  };

  // biome-ignore lint/suspicious/noExplicitAny: what REST answers
  async function post(path: string, body: FormData | object): Promise<any> {
    const isForm = body instanceof FormData;
    const response = await app.fetch(
      new Request(`http://filequery.bench${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${apiKey}`,
          ...(!isForm && { 'content-type': 'application/json' }),
        },
        body: isForm ? body : JSON.stringify({ datasetId: DATASET, ...body }),
      }),
    );
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  }
}

export type AskedGateway = Awaited<ReturnType<typeof startAskedGateway>>;

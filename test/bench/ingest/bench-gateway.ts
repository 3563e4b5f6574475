import { Pool } from 'pg';
import { readConfig } from '../../../src/config/config.ts';
import type { EmbeddingModel } from '../../../src/ports/language-model.ts';
import { createApp } from '../../../src/runtime/create-app.ts';
import { createLog } from '../../../src/runtime/log.ts';
import type { Dependencies } from '../../../src/use-cases/dependencies.ts';
import { createScratchPlace, type ScratchPlace } from '../report/scratch-place.ts';
import { createInstantEmbeddings } from './instant-embeddings.ts';

/** Calls of the storage, by name. */
export type StorageCalls = Record<'put' | 'remove', number>;

export interface BenchGatewayOptions {
  /** Environment variables on top of those of its place. */
  settings?: Record<string, string>;
  /** Where its data is, which stays; default: a new place, which is removed. */
  place?: ScratchPlace;
  /** Who asks; default: a new customer. */
  customer?: { customerId: string; apiKey: string };
  /** Default: a model that takes no time. */
  embeddings?: EmbeddingModel;
}

/** A gateway of its own with no rate limits, and the parts it is made of. */
export async function startBenchGateway({
  settings: more,
  place,
  customer,
  embeddings = createInstantEmbeddings(),
}: BenchGatewayOptions = {}) {
  const { kind, settings, connection, remove } = place
    ? { ...place, remove: async () => {} }
    : await createScratchPlace();
  const calls: StorageCalls = { put: 0, remove: 0 };
  let parts: Dependencies | undefined;
  const app = await createApp(readConfig({ ...settings, ...more }), createLog('error'), (deps) => {
    const unlimited = async () => ({ allowed: true, limit: 1, remaining: 1, resetSeconds: 1 });
    parts = {
      ...deps,
      embeddings,
      rateLimiter: { consume: unlimited, peek: unlimited },
      storage: {
        ...deps.storage,
        put: (...args) => counted('put', () => deps.storage.put(...args)),
        remove: (...args) => counted('remove', () => deps.storage.remove(...args)),
      },
    };
    return parts;
  });
  if (!parts) throw new Error('the gateway was assembled without parts');
  const { customerId, apiKey } =
    customer ?? (await app.admin.createCustomer({ name: 'bench', credits: null }));
  const pool = new Pool(connection);

  return {
    kind,
    parts,
    /** Beside the gateway's own. */
    pool,
    calls,
    customerId,
    apiKey,
    maintenance: app.maintenance,
    fetch: app.fetch,

    /** Asks the gateway; only success will do. */
    async ask(method: string, path: string, body?: BodyInit, headers = {}): Promise<unknown> {
      const response = await app.fetch(
        new Request(`http://filequery.bench${path}`, {
          method,
          headers: { authorization: `Bearer ${apiKey}`, ...headers },
          body: body ?? null,
          ...(body && { duplex: 'half' }),
        }),
      );
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return JSON.parse(text);
    },

    /** Back to no chunk and no file. */
    async clear() {
      await pool.query('TRUNCATE chunk, file, pending_file');
      await pool.query('UPDATE dataset SET chunk_count = 0');
    },

    async close() {
      await pool.end();
      await app.close();
      await remove();
    },
  };

  function counted<Result>(name: keyof StorageCalls, call: () => Result): Result {
    calls[name]++;
    return call();
  }
}

export type BenchGateway = Awaited<ReturnType<typeof startBenchGateway>>;

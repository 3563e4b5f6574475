import { randomUUID } from 'node:crypto';
import { newLoaderKey } from '../../../src/core/loader-key.ts';
import { createRandom, createVectors } from '../../support/vectors.ts';
import type { BenchGateway } from '../ingest/bench-gateway.ts';
import { timed } from '../report/figures.ts';

export const DATASET = 'large';
export const TOPIC = 'topic';

const FILE_CHUNKS = 200;
/** Chunks whose vectors are kept, to ask about them. */
const KEPT = 2000;
const SENTENCE = 'The gateway keeps every file of a dataset with its record and its stored copy. ';

/** A chunk that questions can be about. */
export interface KnownChunk {
  file: string;
  vector: Float32Array;
}

/** Fills a dataset with files of 200 chunks, and tells the time that the index took. */
export async function fill(
  { parts, pool, customerId }: BenchGateway,
  chunkCount: number,
): Promise<{ known: KnownChunk[]; ms: number }> {
  const random = createRandom(1);
  const vectors = createVectors('clustered');
  const customer = await pool.query('SELECT key FROM customer WHERE id = $1', [customerId]);
  const customerKey: number = customer.rows[0].key;
  const dataset = await pool.query(
    'INSERT INTO dataset (customer_key, id, embedding_model) VALUES ($1, $2, $3) RETURNING key',
    [customerKey, DATASET, parts.embeddings.name],
  );
  const datasetKey: number = dataset.rows[0].key;
  const known: KnownChunk[] = [];
  let ms = 0;
  for (let done = 0; done < chunkCount; done += FILE_CHUNKS) {
    const fileId = randomUUID();
    const [loaderKey, file] = [newLoaderKey(), `file-${done}`];
    const chunks = Array.from({ length: FILE_CHUNKS }, (_, position) => ({
      position,
      content: `${file}/${position} ${SENTENCE.repeat(13)}`,
      metadata: {
        fileId,
        originalName: `${file}.txt`,
        datasetId: DATASET,
        lang: `lang-${Math.floor(5 * random())}`,
        category: `category-${Math.floor(100 * random())}`,
      },
    }));
    const made = chunks.map(() => vectors.chunk(TOPIC, file, random));
    const [vector] = made;
    if (vector && random() < (KEPT * FILE_CHUNKS) / chunkCount) known.push({ file, vector });
    await pool.query(
      `INSERT INTO file (customer_key, id, dataset_id, loader_key, path, original_name, extension)
       VALUES ($1, $2, $3, $4, $5, $6, '.txt')`,
      [customerKey, fileId, DATASET, loaderKey, `bench/${fileId}`, `${file}.txt`],
    );
    const [took] = await timed(() =>
      parts.index.add({ customerKey, datasetKey, loaderKey }, chunks, made),
    );
    ms += took;
    if ((done + FILE_CHUNKS) % 100_000 === 0) {
      console.error(`${(done + FILE_CHUNKS).toLocaleString('en')} chunks`);
    }
  }
  await pool.query('VACUUM ANALYZE');
  return { known, ms };
}

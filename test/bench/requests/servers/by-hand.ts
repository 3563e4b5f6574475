import { Agent, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { Pool } from 'pg';
import { createQuery } from '../../../../src/adapters/postgres/query.ts';
import { createSearchMemory } from '../../../../src/adapters/vectors/memory/search-memory.ts';
import { createNearest } from '../../../../src/adapters/vectors/nearest.ts';
import { readVectorEncoding } from '../../../../src/adapters/vectors/vector-encoding.ts';
import { hashApiKey } from '../../../../src/use-cases/accounts/authenticate.ts';
import {
  buildPrompt,
  type Context,
  EMPTY_CONTEXT,
} from '../../../../src/use-cases/questions/prompt.ts';
import type { Setup } from '../processes.ts';
import { createRetrieveAlike } from './retrieve-alike.ts';

/** What somebody would write by hand for these requests alone: SQL and HTTP, no more. */
export async function createByHand(setup: Setup) {
  const { connection, modelUrl } = setup;
  const pool = new Pool({ ...connection, max: 10 });
  const nearest = createNearest(
    { pool, query: createQuery(pool), encoding: await readVectorEncoding(pool) },
    createSearchMemory(pool, { bytes: 0 }),
  );
  const retrieveAlike = await createRetrieveAlike(pool, setup);
  const agent = new Agent({ keepAlive: true });
  const customers = new Map<string, Customer>();

  return { authenticate, listFiles, getFile, charge, search, retrieve, answer };

  /** Looked up once, as ours is in thirty seconds. */
  async function authenticate(authorization = ''): Promise<Customer> {
    const known = customers.get(authorization);
    if (known) return known;
    const { rows } = await pool.query(
      'SELECT key, customer.id FROM api_key JOIN customer ON key = customer_key WHERE hash = $1',
      [hashApiKey(authorization.slice('Bearer '.length))],
    );
    customers.set(authorization, rows[0]);
    return rows[0];
  }

  async function listFiles({ key, id }: Customer, datasetId: string, limit: number | null) {
    const { rows } = await pool.query(
      `SELECT * FROM file WHERE customer_key = $1 AND dataset_id = $2
       ORDER BY created DESC, id DESC LIMIT $3`,
      [key, datasetId, limit],
    );
    return rows.map((row) => toFile(row, id));
  }

  async function getFile({ key, id }: Customer, datasetId: string, fileId: string) {
    const { rows } = await pool.query(
      'SELECT * FROM file WHERE customer_key = $1 AND id = $2 AND dataset_id = $3',
      [key, fileId, datasetId],
    );
    return { ...toFile(rows[0], id), permanentUrl: rows[0].permanent_url };
  }

  async function charge({ key }: Customer, price: number): Promise<void> {
    await pool.query(
      `WITH changed AS (
         UPDATE balance SET credits = credits - $2 WHERE customer_key = $1 AND credits >= $2
         RETURNING customer_key
       )
       INSERT INTO credit_entry (customer_key, amount, reason) SELECT customer_key, -$2, 'query' FROM changed`,
      [key, price],
    );
  }

  async function search(customer: Customer, datasetId: string, question: string) {
    const { scope, vector } = await prepare(customer, datasetId, question);
    const filter = { values: {}, conditions: [] };
    const hits = await nearest({ ...scope, vector, filter, limit: 8 });
    return hits.map(({ content: pageContent, metadata, score }) => ({
      score,
      pageContent,
      metadata: metadata as Hit['metadata'],
    }));
  }

  /** As the gateway retrieves. */
  async function retrieve(customer: Customer, datasetId: string, question: string) {
    const { scope, vector } = await prepare(customer, datasetId, question);
    return retrieveAlike(scope, question, vector);
  }

  async function prepare({ key }: Customer, datasetId: string, question: string) {
    const [{ rows }, vector] = await Promise.all([
      pool.query('SELECT key, chunk_count FROM dataset WHERE customer_key = $1 AND id = $2', [
        key,
        datasetId,
      ]),
      embed(question),
    ]);
    const [{ key: datasetKey, chunk_count: chunkCount }] = rows;
    return { scope: { customerKey: key, datasetKey, chunkCount }, vector };
  }

  async function embed(input: string): Promise<Float32Array<ArrayBuffer>> {
    const model = 'text-embedding-3-small';
    const response = await post('/embeddings', { model, input, encoding_format: 'base64' });
    const body = (await json(response)) as { data: [{ embedding: string }] };
    return new Float32Array(Uint8Array.from(Buffer.from(body.data[0].embedding, 'base64')).buffer);
  }

  async function* answer(question: string, hits: Hit[]): AsyncGenerator<string> {
    const { instructions, message } = buildPrompt(
      { question, standalone: question, history: [], instructions: '', language: undefined },
      { ...EMPTY_CONTEXT, sources: hits },
    );
    const messages = [
      { role: 'system', content: instructions },
      { role: 'user', content: message },
    ];
    const response = await post('/chat/completions', {
      model: 'gpt-4.1-mini',
      messages,
      stream: true,
    });
    let rest = '';
    for await (const text of response.setEncoding('utf8')) {
      const events = `${rest}${text}`.split('\n\n');
      rest = events.pop() ?? '';
      for (const event of events) {
        if (event !== 'data: [DONE]') {
          yield JSON.parse(event.slice('data: '.length)).choices[0].delta.content ?? '';
        }
      }
    }
  }

  function post(path: string, body: object): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' };
      request(`${modelUrl}${path}`, { method: 'POST', agent, headers }, resolve)
        .on('error', reject)
        .end(JSON.stringify(body));
    });
  }
}

interface Customer {
  key: number;
  id: string;
}

type Hit = Context['sources'][number];

// biome-ignore lint/suspicious/noExplicitAny: a row as it comes
function toFile(row: any, customerId: string) {
  return {
    customerId,
    datasetId: row.dataset_id,
    fileId: row.id,
    filePath: row.path,
    originalName: row.original_name,
    mimeType: row.mime_type,
    size: Number(row.size),
    loaderId: BigInt(row.loader_key).toString(16).padStart(16, '0'),
    created: row.created.toISOString(),
    extension: row.extension,
    transcriptionText: row.transcription_text,
    transcriptionSrt: row.transcription_srt,
    extraMeta: row.extra_meta,
  };
}

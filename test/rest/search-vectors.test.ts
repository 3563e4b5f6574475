import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, newCustomer } from '../support/client.ts';
import { SERVER_URL } from '../support/databases.ts';
import { EFFORT } from '../support/effort.ts';
import { startBeside, type TestGateway } from '../support/gateway.ts';
import { KEY, startOpenAiDouble } from '../support/openai-double.ts';
import { createRandom, createVectors, VECTOR_KINDS, type VectorKind } from '../support/vectors.ts';

/* A search finds the chunks with the highest cosines, whatever vectors the model makes. */

/** More than those of which all are compared. */
const SIZE = 203 * EFFORT;
const PARTS = 7;
const LIMIT = 10;
/** How much rounding may move a cosine: servers keep half floats. */
const ROUNDING = SERVER_URL ? 2 ** -10 : 1e-4;

const vectorsOf = new Map(VECTOR_KINDS.map((kind) => [kind, createVectors(kind)]));
/** By text: a chunk or a question says of which kind its vector is. */
const known = new Map<string, Float32Array>();

let double: Awaited<ReturnType<typeof startOpenAiDouble>>;
let gateway: TestGateway;
let customer: Client;

beforeAll(async () => {
  double = await startOpenAiDouble({
    embed: (text) => known.get(nameIn(text)) ?? new Float32Array(1536).fill(1),
  });
  gateway = await startBeside({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: double.url });
  customer = await newCustomer(gateway);
});
afterAll(async () => {
  await gateway.close();
  await double.close();
});

test.each(VECTOR_KINDS)('200: %s vectors, asked at once and a little later', async (kind) => {
  await upload(kind);
  let [right, wanted] = [0, 0];
  for (let round = 0; round < 8; round++) {
    for (const part of [undefined, 3]) {
      const vector = questionOf(kind, round);
      const body = {
        datasetId: kind,
        question: `${kind} question ${round}`,
        limit: LIMIT,
        ...(part !== undefined && { filters: [{ key: 'part', match: { value: part } }] }),
      };
      const { data } = (await customer.rest('POST', '/search', body)).body;
      expect(data).toHaveLength(LIMIT);
      const cosines = chunkNames(kind, part).map((name) => cosine(known.get(name), vector));
      const least = cosines.toSorted((a, b) => b - a)[LIMIT - 1] ?? 2;
      for (const { pageContent, score } of data) {
        const truth = cosine(known.get(nameIn(pageContent)), vector);
        expect(Math.abs(score - truth)).toBeLessThan(ROUNDING);
        if (truth >= least - ROUNDING) right++;
      }
      wanted += LIMIT;
    }
  }
  expect(right / wanted).toBeGreaterThanOrEqual(0.9995);
});

test('200: vectors that a server sends in another order than their texts are told apart by index', async () => {
  const names = ['first chunk 1', 'second chunk 2', 'third chunk 3'];
  for (const [at, name] of names.entries()) {
    const vector = new Float32Array(1536);
    vector[at] = 1;
    known.set(name, vector).set(`about question ${at}`, vector);
  }
  double.behave({ backwards: true });
  const texts = names.map((name) => `${name} is a text of ten tokens.`);
  const fields = { chunkSize: 18, chunkOverlap: 0 };
  const { status } = await customer.upload(
    'backwards',
    { 'texts.txt': texts.join('\n\n') },
    fields,
  );
  expect(status).toBe(200);
  for (const [at, pageContent] of texts.entries()) {
    const body = { datasetId: 'backwards', question: `about question ${at}`, limit: 1 };
    const { data } = (await customer.rest('POST', '/search', body)).body;
    expect(data).toMatchObject([{ pageContent }]);
  }
  double.mend();
});

/** A dataset of files that say of which part they are. */
async function upload(kind: VectorKind): Promise<void> {
  const vectors = vectorsOf.get(kind) ?? never();
  const random = createRandom(1);
  for (const name of chunkNames(kind)) {
    known.set(name, vectors.chunk('topic', 'file', random));
  }
  const files = Array.from({ length: PARTS }, (_, part) => [
    `${part}.txt`,
    // 10 to 16 tokens: each is a chunk, and no two come into one.
    chunkNames(kind, part)
      .map((name) => `${name} is a text of ten tokens.`)
      .join('\n\n'),
  ]);
  const metadata = Object.fromEntries(files.map(([name], part) => [name, { part }]));
  const fields = { chunkSize: 18, chunkOverlap: 0, metadata: JSON.stringify(metadata) };
  const { status } = await customer.upload(kind, Object.fromEntries(files), fields);
  expect(status).toBe(200);
}

/** The name of a chunk or a question in a text. */
function nameIn(text: string): string {
  return /[a-z0-9-]+ (chunk|question) \d+/.exec(text)?.[0] ?? '';
}

function chunkNames(kind: VectorKind, part?: number): string[] {
  return Array.from({ length: SIZE }, (_, at) => at)
    .filter((at) => part === undefined || at % PARTS === part)
    .map((at) => `${kind} chunk ${at}`);
}

function questionOf(kind: VectorKind, round: number): Float32Array {
  const vectors = vectorsOf.get(kind) ?? never();
  const about = known.get(`${kind} chunk ${37 * round}`) ?? new Float32Array(1536);
  const topic = round % 2 === 0 ? 'topic' : 'something else';
  const vector = vectors.question(about, topic, 'file', createRandom(round));
  known.set(`${kind} question ${round}`, vector);
  return vector;
}

/** Of vectors of length 1. */
function cosine(a: Float32Array | undefined, b: Float32Array): number {
  let product = 0;
  for (let at = 0; at < b.length; at++) product += (a?.[at] ?? Number.NaN) * (b[at] as number);
  return product;
}

function never(): never {
  throw new Error('there are vectors of every kind');
}

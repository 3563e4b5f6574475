import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import pMap from 'p-map';
import { inBatches } from '../../../src/adapters/extraction/batches.ts';
import { newLoaderKey } from '../../../src/core/loader-key.ts';
import { createSentences } from '../../support/prose.ts';
import { figure, median, timed } from '../report/figures.ts';
import type { BenchGateway } from './bench-gateway.ts';
import { countStatements } from './count-statements.ts';
import { multipartOf } from './multipart.ts';

const FILES_AN_UPLOAD = 20;
const UPLOADS_AT_ONCE = 2;
/** Characters of the sentences' words that fill a chunk of 300 tokens. */
const CHUNK_CHARACTERS = 1_190;

/** How long files take to go: one, a dataset of 10,000 chunks, and a dataset of many files. */
export async function measureRemovals(gateway: BenchGateway, { files }: { files: number }) {
  return [await removeOne(gateway), await removeDataset(gateway), await removeMany(gateway, files)];
}

async function removeOne(gateway: BenchGateway) {
  const fileIds = await upload(gateway, 'one', 40, textOf(50));
  const times: number[] = [];
  for (const fileId of fileIds) {
    const body = JSON.stringify({ datasetId: 'one' });
    const json = { 'content-type': 'application/json' };
    const [ms] = await timed(() => gateway.ask('DELETE', `/v1/files/${fileId}`, body, json));
    times.push(ms);
  }
  return row('delete of a file of 50 chunks', median(times));
}

async function removeDataset(gateway: BenchGateway) {
  const times: number[] = [];
  let chunks = 0;
  for (let round = 0; round < 3; round++) {
    await upload(gateway, 'dataset', 20, textOf(500));
    chunks = await countChunks(gateway);
    const [ms] = await timed(() => gateway.ask('DELETE', '/v1/datasets/dataset/files'));
    times.push(ms);
  }
  const many = chunks.toLocaleString('en');
  return row(`purge of 20 files with ${many} chunks`, median(times));
}

async function removeMany(gateway: BenchGateway, files: number) {
  await fill(gateway, 'many', files);
  const before = gateway.calls.remove;
  let ms = 0;
  const statements = await countStatements(async () => {
    [ms] = await timed(() => gateway.ask('DELETE', '/v1/datasets/many/files'));
  });
  return row(`purge of ${files.toLocaleString('en')} files of one chunk`, ms, {
    'SQL statements': String(statements),
    'storage calls': String(gateway.calls.remove - before),
  });
}

function row(what: string, ms: number, more: Record<string, string> = {}): Record<string, string> {
  return { what, ms: figure(ms), 'SQL statements': '–', 'storage calls': '–', ...more };
}

/** Makes a dataset of files that are all the same one: quicker than uploading them. */
async function fill(gateway: BenchGateway, datasetId: string, files: number): Promise<void> {
  const { prisma, storage } = gateway.parts;
  const [id] = await upload(gateway, datasetId, 1, 'A short note.');
  const file = await prisma.file.findFirstOrThrow({
    where: { id },
    omit: { extraMeta: true, transcriptionSrt: true },
  });
  const copies = Array.from({ length: files - 1 }, (_, at) => ({
    ...file,
    id: randomUUID(),
    loaderKey: newLoaderKey(),
    path: `${file.path}-${at}`,
  }));
  const options = { contentType: 'text/plain', size: 1 };
  await pMap(copies, ({ path }) => storage.put(path, () => Readable.from([path]), options), {
    concurrency: 16,
  });
  for (const some of inBatches(copies, 1000)) await prisma.file.createMany({ data: some });
  await gateway.pool.query(
    `INSERT INTO chunk (customer_key, dataset_key, loader_key, position, content, metadata, tokens, embedding)
     SELECT chunk.customer_key, chunk.dataset_key, file.loader_key, chunk.position, content, metadata, tokens, embedding
     FROM chunk JOIN file ON file.dataset_id = $2 AND file.loader_key <> chunk.loader_key
     WHERE chunk.loader_key = $1`,
    [file.loaderKey, datasetId],
  );
  await gateway.pool.query(
    `UPDATE dataset SET chunk_count = (SELECT count(*) FROM chunk WHERE dataset_key = dataset.key) WHERE id = $1`,
    [datasetId],
  );
}

/** @returns the ids of the files */
async function upload(
  gateway: BenchGateway,
  datasetId: string,
  files: number,
  text: string,
): Promise<string[]> {
  const content = () => [Buffer.from(text)];
  const uploads = Array.from({ length: Math.ceil(files / FILES_AN_UPLOAD) }, (_, at) =>
    Array.from({ length: Math.min(FILES_AN_UPLOAD, files - at * FILES_AN_UPLOAD) }, (_, one) => ({
      name: `${at}-${one}.txt`,
      content,
    })),
  );
  const ids = await pMap(
    uploads,
    async (some) => {
      const { body, headers } = multipartOf(datasetId, some);
      const answer = await gateway.ask('POST', '/v1/files/upload', body, headers);
      return (answer as { files: { fileId: string }[] }).files.map(({ fileId }) => fileId);
    },
    { concurrency: UPLOADS_AT_ONCE },
  );
  return ids.flat();
}

async function countChunks({ pool }: BenchGateway): Promise<number> {
  const { rows } = await pool.query(`SELECT chunk_count FROM dataset WHERE id = 'dataset'`);
  return rows[0].chunk_count;
}

function textOf(chunks: number): string {
  const sentence = createSentences();
  let text = '';
  while (text.length < chunks * CHUNK_CHARACTERS) text += `${sentence()}\n`;
  return text;
}

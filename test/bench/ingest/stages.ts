import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pMap from 'p-map';
import { inBatches } from '../../../src/adapters/extraction/batches.ts';
import { newLoaderKey } from '../../../src/core/loader-key.ts';
import type { Chunk } from '../../../src/core/model.ts';
import type { Vector } from '../../../src/ports/language-model.ts';
import { ensureDataset } from '../../../src/use-cases/datasets/datasets.ts';
import { createIngest } from '../../../src/use-cases/files/ingest.ts';
import { prose } from '../../support/prose.ts';
import { median, timed } from '../report/figures.ts';
import type { BenchGateway } from './bench-gateway.ts';
import { multipartOf } from './multipart.ts';
import { createRawInsert, ROWS_A_STATEMENT, type Rows, STATEMENTS_AT_ONCE } from './raw-insert.ts';

/** How long each stage takes, in milliseconds, and what goes through it. */
export interface Stages {
  bytes: number;
  chunks: number;
  ms: Record<StageName, number>;
}

export const STAGES = {
  read: 'read + split',
  embed: '… + embed (instant model)',
  insert: '… + insert',
  upload: 'whole upload (`POST /v1/files/upload`)',
  ready: 'ready chunks and vectors into the index',
  raw: 'raw INSERT of the same rows, all parameters ready',
} as const;
type StageName = keyof typeof STAGES;

/** Takes a text in as far as each stage, in turn, and inserts its rows as they are; medians of the rounds. */
export async function measureStages(
  gateway: BenchGateway,
  { megabytes, rounds }: { megabytes: number; rounds: number },
): Promise<Stages> {
  const { parts, pool } = gateway;
  const { extractor, embeddings, index, prisma } = parts;
  const folder = await mkdtemp(join(tmpdir(), 'filequery-bench-text-'));
  const path = join(folder, 'text');
  await writeFile(path, prose(megabytes * 1e6));
  const { size } = await stat(path);
  const file = { originalName: 'text.txt', mimeType: null, size, path };
  const kind = await extractor.identify(file);
  const { signal } = new AbortController();

  const { key: customerKey } = await prisma.customer.findUniqueOrThrow({
    where: { id: gateway.customerId },
  });
  const datasetId = 'stages';
  const caller = { customerKey, customerId: gateway.customerId, datasetId };
  const { key: datasetKey } = await ensureDataset(parts, caller as never);
  const incoming = () => ({
    file,
    kind,
    path: 'bench/text.txt',
    scope: { customerKey, datasetKey, loaderKey: newLoaderKey() },
    extraMeta: null,
    fileMetadata: {
      fileId: randomUUID(),
      originalName: file.originalName,
      customerId: gateway.customerId,
      datasetId,
      mimeType: kind.mimeType,
    },
    chunkSize: 300,
    chunkOverlap: 20,
  });

  const rows: Rows = [];
  const nowhere = { ...parts.storage, put: async () => {} };
  const ingestWith = (add: (chunks: Chunk[], vectors: Vector[]) => Promise<void>) =>
    createIngest({
      ...parts,
      storage: nowhere,
      index: { ...index, add: (_, chunks, vectors) => add(chunks, vectors) },
    });
  await ingestWith(async (chunks, vectors) => {
    chunks.forEach((chunk, at) => {
      rows.push({ chunk, vector: vectors[at] as Vector });
    });
  })(incoming(), signal);
  const rawInsert = await createRawInsert(pool, { customerKey, datasetKey }, rows);
  const batches = Array.from(inBatches(rows, ROWS_A_STATEMENT));
  const scope = { customerKey, datasetKey, loaderKey: 1n };

  const runs: Record<StageName, () => Promise<unknown>> = {
    async read() {
      const options = { owner: 'bench', chunkSize: 300, chunkOverlap: 20, signal };
      for await (const _ of extractor.extract(file, kind, options));
    },
    embed: () => ingestWith(async () => {})(incoming(), signal),
    insert: () => createIngest({ ...parts, embeddings, storage: nowhere })(incoming(), signal),
    async upload() {
      const { body, headers } = multipartOf(datasetId, [
        { name: 'text.txt', content: () => createReadStream(path) },
      ]);
      await gateway.ask('POST', '/v1/files/upload', body, headers);
    },
    ready: () =>
      pMap(
        batches,
        (some) =>
          index.add(
            scope,
            some.map(({ chunk }) => chunk),
            some.map(({ vector }) => vector),
          ),
        { concurrency: STATEMENTS_AT_ONCE },
      ),
    raw: rawInsert,
  };
  const names = Object.keys(STAGES) as StageName[];
  const measured = new Map(names.map((name) => [name, [] as number[]]));
  for (let round = -1; round < rounds; round++) {
    for (const name of names) {
      await gateway.clear();
      const [ms] = await timed(runs[name]);
      if (round >= 0) measured.get(name)?.push(ms);
    }
  }
  await gateway.clear();
  await rm(folder, { recursive: true });
  const ms = Object.fromEntries(names.map((name) => [name, median(measured.get(name) ?? [])]));
  return { bytes: size, chunks: rows.length, ms: ms as Stages['ms'] };
}

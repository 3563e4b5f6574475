import { parseArgs } from 'node:util';
import type { EmbeddingModel, Vector } from '../../src/ports/language-model.ts';
import { startBenchGateway } from './ingest/bench-gateway.ts';
import { createInstantEmbeddings } from './ingest/instant-embeddings.ts';
import { measureChanges, measureReindex } from './large/changes.ts';
import { fill } from './large/fill.ts';
import { loadIntoMemory, METRICS_TOKEN, measureSearches } from './large/searches.ts';
import { figure } from './report/figures.ts';
import { markdownTable } from './report/markdown.ts';
import { publish } from './report/publish.ts';
import { createScratchPlace } from './report/scratch-place.ts';

/*
 * One large dataset: searches with its codes in memory and without, changes, and a reindex. It takes
 * long: what it has done goes to standard error.
 */

const { values: options } = parseArgs({
  options: {
    chunks: { type: 'string', default: '1000000' },
    questions: { type: 'string', default: '100' },
    checked: { type: 'string', default: '3' },
    /** Chunks that are embedded anew before the reindex is stopped. */
    reindexed: { type: 'string', default: '20000' },
    out: { type: 'string' },
  },
});
const chunkCount = Number(options.chunks);
const questions = Number(options.questions);

const place = await createScratchPlace();
try {
  let question: Vector = new Float32Array(1536);
  const nextVector = (vector: Vector) => {
    question = vector;
  };
  const instant = createInstantEmbeddings();
  const embeddings: EmbeddingModel = { ...instant, embedQuestion: async () => question };
  // The most that the setting takes.
  const memory = { SEARCH_MEMORY: String(Math.min(4000, Math.ceil((chunkCount * 1500) / 1e6))) };

  const gateway = await startBenchGateway({
    place,
    embeddings,
    settings: { METRICS_TOKEN, ...memory },
  });
  const { known, ms } = await fill(gateway, chunkCount);
  const size = await gateway.pool.query(
    `SELECT pg_total_relation_size('chunk') + pg_total_relation_size('chunk_index') AS bytes`,
  );
  // The vector of zeros could be ranked only by comparing all vectors.
  if (known[0]) nextVector(known[0].vector);
  const loaded = await loadIntoMemory(gateway);
  console.error(`in memory after ${figure(loaded.ms / 1000)} s`);
  const searching = { known, nextVector };
  const inMemory = await measureSearches(gateway, {
    ...searching,
    questions,
    checked: Number(options.checked),
  });
  const changes = await measureChanges(gateway);
  const reindexed = await measureReindex(gateway, Number(options.reindexed));
  await gateway.close();

  const forgetful = await startBenchGateway({
    place,
    customer: gateway,
    embeddings,
    settings: { SEARCH_MEMORY: '0' },
  });
  const withoutMemory = await measureSearches(forgetful, {
    ...searching,
    questions: Math.ceil(questions / 4),
    checked: 0,
  });
  await forgetful.close();

  const searches = inMemory.map((row, at) => ({
    ...row,
    'without memory': withoutMemory[at]?.['p50 / p99 ms'] ?? '–',
  }));
  const figures = [
    { what: 'chunks added a second', value: figure((1000 * chunkCount) / ms) },
    { what: 'bytes a chunk in the database', value: figure(size.rows[0].bytes / chunkCount) },
    { what: 'seconds until it is in memory', value: figure(loaded.ms / 1000) },
    { what: 'bytes a chunk in the gateway', value: figure(loaded.bytes / chunkCount) },
    ...changes,
    ...reindexed,
  ];
  const title = `${place.kind}, one dataset of ${chunkCount.toLocaleString('en')} chunks, ${questions} questions a row`;
  await publish([title, markdownTable(searches), markdownTable(figures)].join('\n\n'), options.out);
} finally {
  await place.remove();
}

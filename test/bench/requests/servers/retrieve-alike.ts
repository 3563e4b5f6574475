import type { Pool } from 'pg';
import { createQuery } from '../../../../src/adapters/postgres/query.ts';
import { createSearchMemory } from '../../../../src/adapters/vectors/memory/search-memory.ts';
import { createPgvectorIndex } from '../../../../src/adapters/vectors/pgvector-index.ts';
import { readConfig } from '../../../../src/config/config.ts';
import { createChooseSources } from '../../../../src/use-cases/questions/choose-sources.ts';
import type { Setup } from '../processes.ts';
import { NONE } from '../seed.ts';

/** Retrieves what the gateway retrieves for a question: both searches, neighbours, and as large a context. */
export async function createRetrieveAlike(pool: Pool, { settings }: Pick<Setup, 'settings'>) {
  const { contextTokens, searchMode: mode, searchMemoryBytes: bytes } = readConfig(settings);
  const cache = createSearchMemory(pool, { bytes });
  const query = createQuery(pool);
  const index = await createPgvectorIndex({ pool, query, cache, embeddings: NONE });
  const chooseSources = createChooseSources({ index, contextTokens });

  return (
    scope: { customerKey: number; datasetKey: number; chunkCount: number },
    question: string,
    vector: Float32Array,
  ) => {
    const dataset = { ...scope, filters: [] };
    return chooseSources(dataset, (limit) =>
      index.search({ ...dataset, mode, question, vector, limit }),
    );
  };
}

import type { Database } from '../adapters/postgres/database.ts';
import type { OpenReplica } from '../adapters/postgres/replica.ts';
import type { SearchMemory } from '../adapters/vectors/memory/search-memory.ts';
import { createPgvectorIndex, type PgvectorIndex } from '../adapters/vectors/pgvector-index.ts';
import type { EmbeddingModel } from '../ports/language-model.ts';

/** What the index is opened with. */
interface Parts {
  database: Database;
  /** Searched as long as it is not behind, if there is one. */
  replica: OpenReplica | undefined;
  cache: SearchMemory;
  embeddings: EmbeddingModel;
}

/** Opens the index of chunks in the database. */
export async function openIndex({ database, replica, ...parts }: Parts): Promise<PgvectorIndex> {
  const { pool, query, isDistributed } = database;
  const primary = await createPgvectorIndex({ pool, query, isDistributed, ...parts });
  if (!replica) return primary;
  const { createReplicaIndex } = await import('../adapters/vectors/replica-index.ts');
  const { encoding } = primary;
  const copy = await createPgvectorIndex({
    pool: replica.pool,
    query: replica.query,
    isDistributed,
    encoding,
    ...parts,
  });
  return createReplicaIndex(primary, copy, replica);
}

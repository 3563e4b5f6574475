import type { Pool } from 'pg';
import type { Prisma } from '../../generated/prisma/client.ts';
import type { Query } from '../../ports/query.ts';
import { withConnection } from '../postgres/with-connection.ts';
import type { Placement } from './dataset-filter.ts';
import type { VectorEncoding } from './vector-encoding.ts';

type Sql = ReturnType<typeof Prisma.sql>;

/** What the statements of a search need. */
export interface StatementParts extends Placement {
  pool: Pool;
  query: Query;
  encoding: VectorEncoding;
}

/**
 * For larger datasets, sequential scans and JIT are turned off: PostgreSQL would read the whole table
 * instead of a large part of it, and compile for longer than the statement takes.
 */
const STEERED_CHUNKS = 20_000;
const STEERING = 'SET LOCAL enable_seqscan = off; SET LOCAL jit = off;';

/** Runs a statement that reads so many chunks. */
export function createRun(pool: Pool) {
  return async function run<Row extends object>(
    chunks: number | undefined,
    { text, values }: Sql,
  ): Promise<Row[]> {
    if ((chunks ?? 0) <= STEERED_CHUNKS) return (await pool.query<Row>(text, values)).rows;
    return withConnection(pool, async (client) => {
      await client.query(`BEGIN READ ONLY; ${STEERING}`);
      const { rows } = await client.query<Row>(text, values);
      await client.query('COMMIT');
      return rows;
    });
  };
}

import type { Pool } from 'pg';
import type { DatasetScope } from './statements.ts';

/**
 * Graphs of the codes of large datasets (HNSW), along which a search finds the nearest ones without
 * reading all. Each is an index of one dataset, which PostgreSQL keeps up with its chunks.
 *
 * @param maintenance a pool of one connection, whose statements may take as long as they take
 */
export function createGraphs(maintenance: Pool) {
  return {
    /** Builds a graph while everything goes on; what was there is built anew. */
    async build({ customerKey, datasetKey }: DatasetScope): Promise<void> {
      await drop(datasetKey);
      try {
        // About 0.5 kB a chunk are needed; a graph that does not fit is built several times as slowly.
        await maintenance.query("SET maintenance_work_mem = '1GB'");
        await maintenance.query(`
          CREATE INDEX CONCURRENTLY ${nameOf(datasetKey)} ON chunk USING hnsw (code bit_hamming_ops)
          WHERE customer_key = ${Number(customerKey)} AND dataset_key = ${Number(datasetKey)}`);
      } catch (error) {
        // What is left of it would be kept up and never used.
        await drop(datasetKey).catch(() => {});
        throw error;
      }
    },

    drop,
  };

  async function drop(datasetKey: number): Promise<void> {
    await maintenance.query(`DROP INDEX CONCURRENTLY IF EXISTS ${nameOf(datasetKey)}`);
  }
}

function nameOf(datasetKey: number): string {
  return `chunk_graph_${Number(datasetKey)}`;
}

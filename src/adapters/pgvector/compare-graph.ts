import type { Pool } from 'pg';
import type { GraphComparison } from '../../ports/vector-index.ts';
import type { Nearest } from './nearest.ts';
import type { DatasetScope } from './statements.ts';

const LIMIT = 10;

/**
 * Asks some of a dataset's own vectors as questions, with its graph and without, in turn.
 *
 * @param count how many are asked
 */
export async function compareGraph(
  pool: Pool,
  nearest: Nearest,
  scope: DatasetScope,
  count: number,
): Promise<GraphComparison> {
  const { rows } = await pool.query<{ vector: string }>(
    `SELECT embedding::text AS vector FROM chunk WHERE customer_key = $1 AND key IN (
       SELECT key FROM chunk WHERE customer_key = $1 AND dataset_key = $2
       ORDER BY random() LIMIT $3)`,
    [scope.customerKey, scope.datasetKey, count],
  );
  const took: Record<'without' | 'with', number[]> = { without: [], with: [] };
  let [expected, found] = [0, 0];
  for (const row of rows) {
    const vector = Float32Array.from(JSON.parse(row.vector) as number[]);
    const ask = async (hasGraph: boolean) => {
      const start = performance.now();
      const hits = await nearest({ ...scope, hasGraph, vector, filter: {}, limit: LIMIT });
      took[hasGraph ? 'with' : 'without'].push(performance.now() - start);
      return hits;
    };
    const right = await ask(false);
    const hits = await ask(true);
    // Others that are as near are as good.
    const least = right.at(-1)?.score ?? 0;
    expected += right.length;
    found += hits.filter(({ score }) => score >= least).length;
  }
  return {
    questions: rows.length,
    recall: expected === 0 ? 1 : found / expected,
    milliseconds: { without: median(took.without), with: median(took.with) },
  };
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}

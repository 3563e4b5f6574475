import { Prisma } from '../../generated/prisma/client.ts';
import type { Dependencies } from '../dependencies.ts';

/** What the sweeper has to do, now or later. */
export interface Intents {
  /** Files on their way in or out. */
  files: number;
  /** Charges for what was not delivered yet. */
  charges: number;
  /** How old the oldest of them is, in seconds; 0 when there is none. */
  oldestSeconds: number;
}

/** Counts what waits for the sweeper. */
export async function countIntents({ query }: Pick<Dependencies, 'query'>): Promise<Intents> {
  const [row] = await query<Intents>(Prisma.sql`
    SELECT count(*) FILTER (WHERE kind = 'file')::int AS files,
      count(*) FILTER (WHERE kind = 'charge')::int AS charges,
      coalesce(extract(epoch FROM now() - min(created))::int, 0) AS "oldestSeconds"
    FROM (SELECT 'file' AS kind, created FROM pending_file
      UNION ALL SELECT 'charge', created FROM pending_charge) AS intents`);
  return row ?? { files: 0, charges: 0, oldestSeconds: 0 };
}

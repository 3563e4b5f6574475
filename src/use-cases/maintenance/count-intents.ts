import { Prisma } from '../../generated/prisma/client.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Intents } from './maintenance.ts';

/** Counts the open intents. */
export async function countIntents({ query }: Pick<Dependencies, 'query'>): Promise<Intents> {
  const [row] = await query<Intents>(Prisma.sql`
    SELECT count(*) FILTER (WHERE kind = 'file')::int AS files,
      count(*) FILTER (WHERE kind = 'charge')::int AS charges,
      coalesce(extract(epoch FROM now() - min(created))::int, 0) AS "oldestSeconds"
    FROM (SELECT 'file' AS kind, created FROM pending_file
      UNION ALL SELECT 'charge', created FROM pending_charge) AS intents`);
  return row ?? { files: 0, charges: 0, oldestSeconds: 0 };
}

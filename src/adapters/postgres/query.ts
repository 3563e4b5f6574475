import { hash } from 'node:crypto';
import type { DatabaseError, Pool } from 'pg';
import type { Query } from '../../ports/query.ts';

/** No such prepared statement; there is one already: codes of PostgreSQL. */
const LOST = ['26000', '42P05'];

/**
 * Runs statements, prepared unless told otherwise, so that a connection parses and plans each once.
 * A pooler that hands its connections from one client to another may lose what was prepared: from
 * the first time that one does, before anything was run, statements are no longer prepared.
 */
export function createQuery(pool: Pool, { prepared = true } = {}): Query {
  const names = new Map<string, string>();
  let prepares = prepared;

  return async ({ text, values }) => {
    if (prepares) {
      try {
        return (await pool.query({ name: nameOf(text), text, values })).rows;
      } catch (error) {
        if (!LOST.includes((error as DatabaseError).code ?? '')) throw error;
        prepares = false;
      }
    }
    return (await pool.query(text, values)).rows;
  };

  /** The same for the same text in every gateway: of a pooler's connection they may all be clients. */
  function nameOf(text: string): string {
    const name = names.get(text) ?? `filequery_${hash('sha1', text)}`;
    names.set(text, name);
    return name;
  }
}

import { hash } from 'node:crypto';
import type { DatabaseError, Pool } from 'pg';
import type { Query } from '../../ports/query.ts';

/** PostgreSQL error codes: the prepared statement does not exist, or exists already. */
const PREPARED_STATEMENT_ERRORS = ['26000', '42P05'];

/**
 * Runs statements, by default as prepared statements, so that each connection parses and plans each
 * statement only once. Poolers that share server connections among clients may not support prepared
 * statements. On the first such error, which occurs before the statement is executed, the statement
 * is repeated unprepared, and no later one is prepared.
 */
export function createQuery(pool: Pool, { prepared = true } = {}): Query {
  const names = new Map<string, string>();
  let usesPrepared = prepared;

  return async ({ text, values }) => {
    if (usesPrepared) {
      try {
        return (await pool.query({ name: nameOf(text), text, values })).rows;
      } catch (error) {
        if (!PREPARED_STATEMENT_ERRORS.includes((error as DatabaseError).code ?? '')) throw error;
        usesPrepared = false;
      }
    }
    return (await pool.query(text, values)).rows;
  };

  /** Depends on the text only, because several gateways may share a connection of a pooler. */
  function nameOf(text: string): string {
    const name = names.get(text) ?? `filequery_${hash('sha1', text)}`;
    names.set(text, name);
    return name;
  }
}

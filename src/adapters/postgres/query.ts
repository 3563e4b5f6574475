import { hash } from 'node:crypto';
import type { DatabaseError, Pool } from 'pg';
import type { Query } from '../../ports/query.ts';

/** PostgreSQL error codes: the prepared statement does not exist, or exists already. */
const PREPARED_STATEMENT_ERRORS = ['26000', '42P05'];

/**
 * The most statements that are prepared. Filters can make any number of texts; routine statements come
 * first.
 */
const MOST_PREPARED = 500;

/**
 * Runs statements, by default as prepared statements, so that each connection parses and plans each
 * statement only once. Poolers that share server connections among clients may not support prepared
 * statements. On the first such error, which occurs before the statement is executed, the statement
 * is repeated unprepared, and no later one is prepared.
 */
export function createQuery(
  pool: Pool,
  { prepared = true, mostPrepared = MOST_PREPARED } = {},
): Query {
  const names = new Map<string, string>();
  let usesPrepared = prepared;

  return async ({ text, values }) => {
    const name = usesPrepared ? nameOf(text) : undefined;
    if (name !== undefined) {
      try {
        return (await pool.query({ name, text, values })).rows;
      } catch (error) {
        if (!PREPARED_STATEMENT_ERRORS.includes((error as DatabaseError).code ?? '')) throw error;
        usesPrepared = false;
      }
    }
    return (await pool.query(text, values)).rows;
  };

  /** Depends on the text only, because several gateways may share a connection of a pooler. */
  function nameOf(text: string): string | undefined {
    const known = names.get(text);
    if (known !== undefined || names.size >= mostPrepared) return known;
    const name = `filequery_${hash('sha1', text)}`;
    names.set(text, name);
    return name;
  }
}

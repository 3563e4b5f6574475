import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';

/** A statement with its values, as it reached PostgreSQL. */
export interface RecordedStatement {
  text: string;
  values: unknown[];
}

/**
 * The SQL statements that something needs. What gateways do in the background meanwhile is not its
 * own: every few seconds they look for uploads to work on.
 */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const own = new AsyncLocalStorage<boolean>();
  const recorded = await record(
    () => own.run(true, work),
    () => own.getStore() === true,
  );
  return recorded.map(({ text }) => text);
}

/** All SQL statements that reach PostgreSQL while something is done, with their values. */
export async function recordStatements(work: () => Promise<unknown>): Promise<RecordedStatement[]> {
  const recorded = await record(work, () => true);
  // Gateways check now and then that notifications arrive.
  return recorded.filter(({ text }) => !text.includes('pg_notify'));
}

async function record(
  work: () => Promise<unknown>,
  isMeant: () => boolean,
): Promise<RecordedStatement[]> {
  const { query } = pg.Client.prototype;
  const recorded: RecordedStatement[] = [];
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    if (isMeant()) recorded.push(toRecorded(...args));
    return Reflect.apply(query, this, args);
  } as typeof query;
  try {
    await work();
    return recorded;
  } finally {
    pg.Client.prototype.query = query;
  }
}

function toRecorded(statement?: unknown, values?: unknown): RecordedStatement {
  const given = Array.isArray(values) ? values : [];
  if (typeof statement === 'string') return { text: statement, values: given };
  const { text, values: own } = statement as { text?: string; values?: unknown[] };
  return { text: String(text), values: own ?? given };
}

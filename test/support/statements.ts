import pg from 'pg';
import { vi } from 'vitest';

/** A statement with its values, as it reached PostgreSQL. */
export interface RecordedStatement {
  text: string;
  values: unknown[];
}

/** The SQL statements that reach PostgreSQL while something is done. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  return (await recordStatements(work)).map(({ text }) => text);
}

/** The same, with the values of the statements. */
export async function recordStatements(work: () => Promise<unknown>): Promise<RecordedStatement[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    // Gateways check now and then that notifications arrive.
    const recorded = query.mock.calls.map(([statement, values]) => toRecorded(statement, values));
    return recorded.filter(({ text }) => !text.includes('pg_notify'));
  } finally {
    query.mockRestore();
  }
}

function toRecorded(statement: unknown, values: unknown): RecordedStatement {
  const given = Array.isArray(values) ? values : [];
  if (typeof statement === 'string') return { text: statement, values: given };
  const { text, values: own } = statement as { text?: string; values?: unknown[] };
  return { text: String(text), values: own ?? given };
}

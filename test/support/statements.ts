import pg from 'pg';
import { vi } from 'vitest';

/** The SQL statements that reach PostgreSQL while something is done. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    return query.mock.calls.map(([statement]) => textOf(statement));
  } finally {
    query.mockRestore();
  }
}

function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement;
  return String((statement as { text?: string }).text);
}

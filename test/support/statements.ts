import pg from 'pg';
import { vi } from 'vitest';

/** The SQL statements that reach PostgreSQL while something is done. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    // Gateways check now and then that notifications arrive.
    const texts = query.mock.calls.map(([statement]) => textOf(statement));
    return texts.filter((text) => !text.includes('pg_notify'));
  } finally {
    query.mockRestore();
  }
}

function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement;
  return String((statement as { text?: string }).text);
}

import { expect, test } from 'vitest';
import type { Caller, Callers } from './callers.ts';

/** A request that the gateway refuses, and the whole of what it says. */
export interface Refusal {
  status: number;
  method: string;
  /** Below /v1; `{file}` is the file of `Callers`. */
  path: string;
  what: string;
  as: Caller;
  body?: unknown;
  error: string;
}

/** A test for each row. */
export function refuses(callers: () => Callers, rows: Refusal[]): void {
  for (const { status, method, path, what, as, body, error } of rows) {
    test(`${status} ${method} /v1${path} ${what}: ${error}`, async () => {
      const { clients, fileId } = callers();
      const reply = await clients[as].rest(method, path.replace('{file}', fileId), body);
      expect(reply.body).toStrictEqual({ error });
      expect(reply.status).toBe(status);
    });
  }
}

#!/usr/bin/env node
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { Pool } from 'pg';
import { openSchemaEngine } from './schema-engine.ts';

/* Stands in for the native schema engine that Prisma's command line starts: one JSON-RPC message a line. */

const { values, positionals } = parseArgs({
  options: { datasource: { type: 'string' }, datamodels: { type: 'string', multiple: true } },
  allowPositionals: true,
  strict: false,
});
const { url } = JSON.parse(String(values.datasource));
const pool = new Pool({ connectionString: url, max: 1 });

if (positionals[0] === 'cli') await pool.query('SELECT 1');
else await answer();
await pool.end();

async function answer(): Promise<void> {
  const engine = await openSchemaEngine(pool);
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params } = JSON.parse(line);
    const call = engine[method as 'applyMigrations'].bind(engine);
    const reply = await call(params).then(
      (result: unknown) => ({ result: result ?? null }),
      (error: Error & { code?: string }) => ({
        error: {
          code: 4466,
          message: error.message,
          data: { is_panic: false, message: error.message, error_code: error.code },
        },
      }),
    );
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...reply })}\n`);
  }
}

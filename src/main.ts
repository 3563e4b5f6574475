import { readConfig } from './config.ts';
import { OperatorError } from './core/errors.ts';
import { serve } from './serve.ts';

try {
  await serve(readConfig());
} catch (error) {
  process.stderr.write(`${error instanceof OperatorError ? error.message : describe(error)}\n`);
  process.exit(1);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

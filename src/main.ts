import { requireNode } from './config/require-node.ts';

// All other imports are dynamic: they would fail in an old Node.js before this can say so.
requireNode();

// Before the other modules are loaded: later starts are faster.
const { enableCompileCache } = await import('node:module');
enableCompileCache();
const { ConfigurationError } = await import('./core/errors.ts');

try {
  const { readConfig } = await import('./config/config.ts');
  const config = readConfig();
  const { serve } = await import('./runtime/serve.ts');
  await serve(config);
} catch (error) {
  process.stderr.write(
    `${error instanceof ConfigurationError ? error.message : describe(error)}\n`,
  );
  process.exit(1);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

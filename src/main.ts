import { enableCompileCache } from 'node:module';
import { ConfigurationError } from './core/errors.ts';

// Before the rest is loaded: a second start is quicker for it.
enableCompileCache();

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

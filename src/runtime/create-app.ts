import type { Config } from '../config/config.ts';
import type { Log } from '../ports/log.ts';
import type { Dependencies } from '../use-cases/dependencies.ts';
import type { App } from './app.ts';
import { createRuntime } from './runtime.ts';

export type { App } from './app.ts';

/** Replaces dependencies of the use cases; tests inject faults with it. */
export type Override = (deps: Dependencies) => Dependencies;

/**
 * Builds every part of the service and its doors, without listening on an address.
 *
 * @throws ConfigurationError naming the setting
 */
export async function createApp(
  config: Config,
  log: Log,
  override: Override = (deps) => deps,
): Promise<App> {
  const runtime = createRuntime(config, log, {
    role: 'gateway',
    // Half of the modules of a gateway. A failure is thrown where the module is needed.
    onDatabaseStarting: () => {
      Promise.all([import('./compose-app.ts'), import('./chunk-index.ts')]).catch(() => {});
    },
  });
  try {
    const deps = override(await runtime.dependencies());
    const { composeApp } = await import('./compose-app.ts');
    return await composeApp(runtime, deps, config, log);
  } catch (error) {
    await runtime.close();
    throw error;
  }
}

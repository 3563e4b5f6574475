import type { Config } from '../config/config.ts';
import { welcome } from './first-run.ts';
import { createLog } from './log.ts';
import { startGateway } from './start.ts';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Runs the gateway until the process is told to end.
 *
 * @throws OperatorError when it cannot start, or its database is gone for good
 */
export async function serve(config: Config): Promise<never> {
  const log = createLog(config.logLevel);
  const leave = (signal: NodeJS.Signals) => {
    log.info({ signal }, 'stopped before the start was complete');
    // What a process was making when it ended is made anew.
    process.exit(0);
  };
  for (const signal of SIGNALS) process.once(signal, leave);
  const { app, publicUrl, stop } = await startGateway(config, log);
  const end = async (signal: NodeJS.Signals) => {
    log.info({ signal }, 'stopping');
    await stop();
    process.exit(0);
  };
  for (const signal of SIGNALS) process.off(signal, leave).once(signal, end);
  await welcome(config, publicUrl, app.admin);
  throw await app.lost;
}

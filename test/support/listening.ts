import { readConfig } from '../../src/config/config.ts';
import { createLog } from '../../src/runtime/log.ts';
import { type Gateway, startGateway } from '../../src/runtime/serve.ts';
import { fetchFrom } from './fetch-from.ts';
import { newDataFolder } from './process.ts';

/** A gateway that listens on a port of its own, in this process and a folder of its own. */
export interface ListeningGateway extends Gateway {
  /** Requests for the test host go to the port. */
  fetch(request: Request): Promise<Response>;
}

export async function startListening(
  settings: Record<string, string> = {},
): Promise<ListeningGateway> {
  const { dataDir, remove } = await newDataFolder();
  const config = readConfig({ DATA_DIR: dataDir, PORT: '0', ...settings });
  const { stop, ...gateway } = await startGateway(config, createLog('silent')).catch(
    async (error: unknown) => {
      await remove();
      throw error;
    },
  );
  return {
    ...gateway,
    fetch: fetchFrom(gateway.publicUrl),
    async stop() {
      await stop();
      await remove();
    },
  };
}

/** What the operator is told of a start that fails because of these settings. */
export async function failingStart(settings: Record<string, string>): Promise<string> {
  try {
    // What is wrong in the settings themselves is told before a folder is made.
    readConfig(settings);
    const { stop } = await startListening(settings);
    await stop();
    return 'it started';
  } catch (error) {
    return String(error);
  }
}

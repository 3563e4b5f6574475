import { type App, createApp } from './app.ts';
import type { Config } from './config.ts';
import { listen } from './http/listen.ts';
import type { Log } from './log.ts';

export interface Gateway {
  app: App;
  /** Where clients reach it. */
  publicUrl: string;
  /** Finishes what runs, and closes everything. */
  stop(): Promise<void>;
}

/** Starts a gateway on its address. */
export async function startGateway(config: Config, log: Log): Promise<Gateway> {
  const { promise: started, resolve } = Promise.withResolvers<App>();
  let app: App | undefined;
  // The address first: one that is taken is told at once, and requests wait until the rest is there.
  const { url, stop } = await listen(
    (request) => app?.fetch(request) ?? started.then(({ fetch }) => fetch(request)),
    config,
  );
  const publicUrl = config.publicUrl ?? url;
  app = await createApp({ ...config, publicUrl }, log).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  resolve(app);
  const { close } = app;
  return {
    app,
    publicUrl,
    async stop() {
      await stop();
      await close();
    },
  };
}

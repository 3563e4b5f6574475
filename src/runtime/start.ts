import type { Config } from '../config/config.ts';
import { AppError, ERRORS } from '../core/errors.ts';
import { listen } from '../http/listen.ts';
import type { Log } from '../ports/log.ts';
import { type App, createApp } from './app.ts';

const RETRY_AFTER_SECONDS = 5;

export interface Gateway {
  app: App;
  /** Where clients reach it. */
  publicUrl: string;
  /** Finishes what runs, and closes everything. */
  stop(): Promise<void>;
}

/** Starts a gateway on its address. */
export async function startGateway(config: Config, log: Log): Promise<Gateway> {
  const { promise: started, resolve, reject } = Promise.withResolvers<App>();
  // A start that fails is thrown below; it must not count as unhandled where no request waits.
  started.catch(() => {});
  let app: App | undefined;
  // The address first: one that is taken is told at once, and requests wait until the rest is there.
  const { url, stop } = await listen(
    (request) => app?.fetch(request) ?? started.then(({ fetch }) => fetch(request), refuse),
    config,
  );
  const publicUrl = config.publicUrl ?? url;
  app = await createApp({ ...config, publicUrl }, log).catch(async (error: unknown) => {
    // Those that wait are told, so that nobody is waited for.
    reject(error);
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

/** The answer to who waited for a start that failed. */
function refuse(): Response {
  const { message } = new AppError('UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  return Response.json(
    { error: message },
    {
      status: ERRORS.UNAVAILABLE.status,
      headers: { 'retry-after': String(RETRY_AFTER_SECONDS), connection: 'close' },
    },
  );
}

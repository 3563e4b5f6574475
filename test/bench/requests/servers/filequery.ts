import { readConfig } from '../../../../src/config/config.ts';
import { listen } from '../../../../src/http/listen.ts';
import { type App, createApp } from '../../../../src/runtime/create-app.ts';
import { collectNow, collectSeldom } from '../../../../src/runtime/garbage-collection.ts';
import { createLog } from '../../../../src/runtime/log.ts';
import type { Dependencies } from '../../../../src/use-cases/dependencies.ts';
import { serveWhenAsked } from '../processes.ts';

/* Ours, as it is: only that a customer may ask more often than a thousand times a minute. */

serveWhenAsked(async ({ settings, modelUrl }) => {
  collectSeldom();
  const config = readConfig({ ...settings, PORT: '0', OPENAI_BASE_URL: modelUrl });
  const { promise: fetch, resolve } = Promise.withResolvers<App['fetch']>();
  const { url } = await listen(async (...asked) => (await fetch)(...asked), config);
  const app = await createApp({ ...config, publicUrl: url }, createLog(config.logLevel), unlimited);
  collectNow();
  resolve(app.fetch);
  return { url, stop: app.close };
});

function unlimited(deps: Dependencies): Dependencies {
  const { rateLimiter } = deps;
  return {
    ...deps,
    rateLimiter: {
      ...rateLimiter,
      consume: (window) => rateLimiter.consume({ ...window, limit: Number.MAX_SAFE_INTEGER }),
    },
  };
}

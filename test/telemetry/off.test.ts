import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCollector } from '../support/collector.ts';
import { settingsFor } from '../support/databases.ts';
import { shareGateway, type TestGateway } from '../support/gateway.ts';
import { startProcess } from '../support/process.ts';

/* What is not set up is not loaded, and not there. */

/** Makes a process tell each package of telemetry that it loads. */
const TELL_LOADS = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({ load(url, context, next) {
    const [, name] = /node_modules\\/(prom-client|@opentelemetry\\/[a-z-]+)\\//.exec(url) ?? [];
    if (name) process.stderr.write('loaded ' + name + '\\n');
    return next(url, context);
  } });`)}`;

/** The processes use its database. */
let shared: TestGateway;
beforeAll(async () => {
  shared = await shareGateway();
});
afterAll(() => shared.close());

test('without its settings no telemetry is loaded, and /metrics is a 404', async () => {
  const { url, stop, loaded } = await start({});
  expect((await fetch(`${url}/metrics`)).status).toBe(404);
  await stop();
  expect(loaded()).toEqual([]);
});

test('with them it is loaded', async () => {
  const METRICS_TOKEN = 'a-token-of-the-scraper';
  const collector = await startCollector();
  const { url, stop, loaded } = await start({
    METRICS_TOKEN,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  });
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  expect((await fetch(`${url}/metrics`, { headers })).status).toBe(200);
  await stop();
  await collector.close();
  expect(loaded()).toEqual(expect.arrayContaining(['prom-client', '@opentelemetry/sdk-trace']));
});

async function start(settings: Record<string, string>) {
  const { url, child, ended, output } = await startProcess(shared.dataDir, {
    ...settingsFor(shared.connection),
    LOG_LEVEL: 'warn',
    NODE_OPTIONS: `--import=${TELL_LOADS}`,
    ...settings,
  });
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
    loaded: () => [...output().stderr.matchAll(/^loaded (.*)$/gm)].map(([, name = '']) => name),
  };
}

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type * as Client from '../../src/client/index.ts';
import { type Listening, listen } from '../../src/http/listen.ts';
import { newCustomer } from '../support/client.ts';
import { shareGateway, type TestGateway } from '../support/gateway.ts';

/* The client in a page of another origin than the gateway's, as it is: without a bundler. */

let gateway: TestGateway;
let server: Listening;
let pages: Listening;
let browser: Browser;
let page: Page;

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const isMissing = !existsSync(CHROMIUM);

beforeAll(async () => {
  if (isMissing) return;
  gateway = await shareGateway();
  server = await listen(gateway.fetch, { host: '127.0.0.1', port: 0 });
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  page = await browser.newPage();
  pages = await listen(servePage, { host: '127.0.0.1', port: 0 });
  await page.goto(pages.url);
});
afterAll(async () => {
  if (isMissing) return;
  await browser.close();
  await server.stop();
  await pages.stop();
  await gateway.close();
});

it.skipIf(isMissing)(
  'uploads with progress, answers with citations, and says why it is refused',
  async () => {
    const [rich, poor] = [await newCustomer(gateway), await newCustomer(gateway, '0')];
    const told = await page.evaluate(
      async ({ url, rich, poor }) => {
        const { createClient } = (await import('/index.ts' as string)) as typeof Client;
        const client = createClient({ url, credential: rich });
        const progress: Client.Progress[] = [];
        const file = new File([`${' '.repeat(1_000_000)}The fox is quick.`], 'fox.txt');
        const { files } = await client.upload([file], {
          datasetId: 'docs',
          onProgress: (step) => progress.push(step),
        });
        const types: string[] = [];
        for await (const { type } of client.ask('Is the fox quick?', { datasetId: 'docs' })) {
          types.push(type);
        }
        const refusal = await createClient({ url, credential: poor })
          .upload([file], { datasetId: 'docs' })
          .catch((error: Client.FilequeryError) => ({ code: error.code, status: error.status }));
        const stop = new AbortController();
        const stopped = await client
          .upload([file], {
            ...{ datasetId: 'docs', signal: stop.signal },
            onProgress: () => stop.abort('enough'),
          })
          .catch((reason: unknown) => reason);
        return { size: files[0]?.size, progress, types, refusal, stopped };
      },
      { url: server.url, rich: rich.apiKey, poor: poor.apiKey },
    );
    expect(told.size).toBe(1_000_017);
    const { sentBytes, totalBytes } = told.progress.at(-1) ?? {};
    expect(totalBytes).toBeGreaterThan(1_000_017);
    expect(sentBytes).toBe(totalBytes);
    expect([...new Set(told.types)]).toEqual(['sources', 'delta', 'citation', 'completed']);
    expect(told.refusal).toEqual({ code: 'INSUFFICIENT_CREDITS', status: 402 });
    expect(told.stopped).toBe('enough');
  },
);

it.skipIf(isMissing)(
  'an upload is not sent once it is stopped, and ends with whatever is answered',
  async () => {
    const { apiKey } = await newCustomer(gateway);
    let sent = 0;
    await page.route('**/v1/files/upload*', (route) => {
      sent++;
      return route.fulfill({ status: 204, headers: { 'access-control-allow-origin': '*' } });
    });
    const told = await page.evaluate(
      async ({ url, apiKey }) => {
        const { createClient } = (await import('/index.ts' as string)) as typeof Client;
        const files = [new File(['The fox is quick.'], 'fox.txt')];
        const stop = new AbortController();
        const getToken = () => {
          stop.abort('enough');
          return apiKey;
        };
        const stopped = await createClient({ url, credential: getToken })
          .upload(files, { signal: stop.signal })
          .catch((reason: unknown) => reason);
        const noContent = await createClient({ url, credential: apiKey })
          .upload(files)
          .catch((error: Client.FilequeryError) => error.code);
        return { stopped, noContent };
      },
      { url: server.url, apiKey },
    );
    await page.unrouteAll({ behavior: 'wait' });
    expect(told).toEqual({ stopped: 'enough', noContent: 'NO_GATEWAY' });
    expect(sent).toBe(1);
  },
);

it.skipIf(isMissing)('uploads from a service worker, as browser extensions do', async () => {
  const { apiKey } = await newCustomer(gateway);
  const told = await page.evaluate(
    async ({ url, apiKey }) => {
      await navigator.serviceWorker.register('/service-worker.js', { type: 'module' });
      const { active } = await navigator.serviceWorker.ready;
      const { port1, port2 } = new MessageChannel();
      active?.postMessage({ url, credential: apiKey }, [port2]);
      return new Promise((resolve) => {
        port1.onmessage = ({ data }) => resolve(data);
      });
    },
    { url: server.url, apiKey },
  );
  expect(told).toMatchObject({
    uploaded: { files: [{ originalName: 'fox.txt', size: 17 }] },
    progress: { sentBytes: expect.any(Number) },
  });
});

const SERVICE_WORKER = `
  import { createClient } from '/index.ts';
  addEventListener('message', ({ data, ports: [port] }) => {
    let progress;
    createClient({ ...data, retries: 0 })
      .upload([new File(['The fox is quick.'], 'fox.txt')], {
        datasetId: 'docs',
        onProgress: (step) => { progress = step; },
      })
      .then((uploaded) => port.postMessage({ uploaded, progress }), (error) => port.postMessage(String(error)));
  });
`;

/** An empty page, and a service worker and the modules of the client beside it. */
async function servePage(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === '/service-worker.js') {
    return new Response(SERVICE_WORKER, { headers: { 'content-type': 'text/javascript' } });
  }
  if (!pathname.endsWith('.ts')) {
    return new Response('<p>A page</p>', { headers: { 'content-type': 'text/html' } });
  }
  const source = await readFile(new URL(`../../src/client${pathname}`, import.meta.url), 'utf8');
  return new Response(stripTypeScriptTypes(source), {
    headers: { 'content-type': 'text/javascript' },
  });
}

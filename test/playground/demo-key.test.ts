import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { listen } from '../../src/http/listen.ts';
import { type App, createApp } from '../../src/runtime/create-app.ts';
import { isForThisComputer } from '../../src/runtime/is-for-this-computer.ts';
import { createLog } from '../../src/runtime/log.ts';
import { startBeside } from '../support/gateway.ts';
import { newDataFolder } from '../support/process.ts';

/* Who gets the key of the demo customer from POST /demo-key. */

const HOST = '127.0.0.1:4000';
/** As a browser on this computer sends it from the page of this gateway. */
const OWN = {
  remoteAddress: '127.0.0.1' as string | undefined,
  host: HOST,
  origin: `http://${HOST}`,
  'sec-fetch-site': 'same-origin',
};

let folder: Awaited<ReturnType<typeof newDataFolder>>;
let app: App;

beforeAll(async () => {
  folder = await newDataFolder();
  app = await start();
});
afterAll(async () => {
  await app.close();
  await folder.remove();
});

test('nobody before there is a demo customer', async () => {
  expect(await ask(OWN)).toEqual({ status: 204, key: '' });
  const { demoKey, admin } = app;
  const made = await admin.createCustomer({
    id: 'demo',
    name: 'demo',
    credits: '1000',
    ...(demoKey && { apiKey: demoKey }),
  });
  expect(made.apiKey).toBe(demoKey);
});

describe('the page of the gateway, in a browser on the same computer', () => {
  it.each([
    ['by its IPv4 address', {}],
    ['by IPv6', { remoteAddress: '::1', host: '[::1]:4000', origin: 'http://[::1]:4000' }],
    ['by its name', { host: 'localhost:4000', origin: 'http://localhost:4000' }],
    ['over a socket of both', { remoteAddress: '::ffff:127.0.0.1' }],
    ['without Sec-Fetch-Site, as older browsers', { 'sec-fetch-site': undefined }],
  ])('%s', async (_, change) => {
    expect(await ask({ ...OWN, ...change })).toEqual({ status: 200, key: app.demoKey });
  });

  it('never from a cache', async () => {
    const response = await app.fetch(requestOf(OWN), OWN);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin');
  });

  it('whose address is read from the socket', async () => {
    const server = await listen(app.fetch, { host: '127.0.0.1', port: 0 });
    const { host } = new URL(server.url);
    expect(await send(server.url, { host, origin: server.url })).toEqual([200, app.demoKey]);
    // A name that points to this computer for a while.
    const rebound = { host: 'rebound.example', origin: 'http://rebound.example' };
    expect(await send(server.url, rebound)).toEqual([204, '']);
    await server.stop();
  });
});

describe('and nobody else:', () => {
  it.each([
    ['another computer', { remoteAddress: '192.168.1.20' }],
    ['a connection that is not known', { remoteAddress: undefined }],
    ['a proxy with X-Forwarded-For', { 'x-forwarded-for': '203.0.113.9' }],
    ['a proxy with X-Forwarded-Host', { 'x-forwarded-host': 'files.example.com' }],
    ['a proxy with X-Real-IP', { 'x-real-ip': '203.0.113.9' }],
    ['a proxy with Forwarded', { forwarded: 'for=203.0.113.9' }],
    ['a proxy with Via', { via: '1.1 proxy' }],
    ['a name that was pointed here', { host: 'evil.example', origin: 'http://evil.example' }],
    [
      'a name that begins as ours',
      { host: '127.0.0.1.evil.example', origin: 'http://127.0.0.1.evil.example' },
    ],
    ['a Host that is none', { host: '127.0.0.1:x', origin: 'http://127.0.0.1:x' }],
    ['no Host', { host: undefined }],
    ['a page of another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    [
      'a page of another local server',
      { origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-site' },
    ],
    ['a page that hides its origin', { origin: 'null' }],
    ['a program that sends no origin', { origin: undefined }],
    ['an origin of HTTPS, before a proxy', { origin: `https://${HOST}` }],
    ['an address that was typed', { 'sec-fetch-site': 'none' }],
  ])('%s', async (_, change) => {
    expect(await ask({ ...OWN, ...change })).toEqual({ status: 204, key: '' });
  });

  it('a GET, which a page could send without an origin', async () => {
    const response = await app.fetch(
      new Request(`http://${HOST}/demo-key`, { headers: headersOf(OWN) }),
      OWN,
    );
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain('fq_');
  });

  it('a gateway on a database server', async () => {
    const beside = await startBeside();
    const { demoKey, fetch } = beside;
    expect(demoKey).toBeUndefined();
    expect((await fetch(requestOf(OWN), OWN)).status).toBe(204);
    await beside.close();
  });
});

describe('a gateway is for this computer', () => {
  it.each([
    [{}, true],
    [{ HOST: '::1', PUBLIC_URL: 'http://localhost:4000' }, true],
    [{ HOST: '0.0.0.0' }, false],
    [{ HOST: '192.168.1.2' }, false],
    [{ PUBLIC_URL: 'https://files.example.com' }, false],
  ])('with %o: %s', (settings, expected) => {
    expect(isForThisComputer(readConfig({ DATA_DIR: folder.dataDir, ...settings }))).toBe(expected);
  });
});

test('it is the same after a restart, and not given by a gateway for others', async () => {
  const { demoKey } = app;
  await app.close();
  app = await start({ PUBLIC_URL: 'https://files.example.com' });
  expect(app.demoKey).toBe(demoKey);
  expect((await ask(OWN)).status).toBe(204);
});

function start(settings: Record<string, string> = {}): Promise<App> {
  return createApp(readConfig({ DATA_DIR: folder.dataDir, ...settings }), createLog('silent'));
}

type Sender = Record<string, string | undefined>;

async function ask(sender: Sender): Promise<{ status: number; key: string }> {
  const response = await app.fetch(requestOf(sender), { remoteAddress: sender['remoteAddress'] });
  return { status: response.status, key: await response.text() };
}

function requestOf(sender: Sender): Request {
  return new Request(`http://${HOST}/demo-key`, { method: 'POST', headers: headersOf(sender) });
}

function headersOf({ remoteAddress: _, ...headers }: Sender): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}

/** Over a socket; `fetch` would not send another `Host`. */
function send(url: string, headers: Record<string, string>): Promise<[number | undefined, string]> {
  return new Promise((resolve, reject) => {
    request(`${url}/demo-key`, { method: 'POST', headers }, async (response) => {
      const parts = await response.toArray();
      resolve([response.statusCode, Buffer.concat(parts).toString()]);
    })
      .on('error', reject)
      .end();
  });
}

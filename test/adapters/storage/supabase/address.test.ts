import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SupabaseDouble, startSupabaseDouble } from '../../../support/supabase-double.ts';
import { connect, HASTY, put } from './support.ts';

/* An address where there is no Supabase Storage, or none that answers. */

let double: SupabaseDouble;
/** A web server that is no Supabase. */
let stranger: Server;
let strangerUrl: string;
/** The paths that the stranger was asked for. */
const asked: string[] = [];

beforeAll(async () => {
  double = await startSupabaseDouble();
  stranger = createServer((request, response) => {
    asked.push(request.url ?? '');
    const [, kind] = (request.url ?? '').split('/');
    if (kind === 'moved') response.writeHead(302, { location: `${strangerUrl}/target` }).end();
    else if (kind === 'app') response.end('<!doctype html>\n<title>An app</title>');
    else response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not found</h1>');
  }).listen(0, '127.0.0.1');
  await once(stranger, 'listening');
  strangerUrl = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
});
beforeEach(() => {
  double.faults.clear();
  asked.length = 0;
});
afterAll(async () => {
  stranger.close();
  await double.close();
});

describe('the address:', () => {
  const NO_STORAGE =
    /^SUPABASE_URL: http\S+ is no Supabase Storage; take the address of the project$/;
  it.each<[what: string, url: () => string, line: RegExp]>([
    ['a web app', () => `${strangerUrl}/app`, NO_STORAGE],
    ['a server without such a path', () => strangerUrl, NO_STORAGE],
    ['a page that moved', () => `${strangerUrl}/moved`, NO_STORAGE],
    ['a folder of the project', () => `${double.url}/rest`, NO_STORAGE],
    [
      'the storage itself',
      () => `${double.url}/storage/v1`,
      /^SUPABASE_URL: .*without \/storage\/v1$/,
    ],
    [
      'no host',
      () => 'http://project.invalid',
      /^SUPABASE_URL: there is no host project\.invalid; take /,
    ],
    [
      'a password in it',
      () => 'http://me:hidden@x.test',
      /^SUPABASE_URL: must not hold .* password$/,
    ],
  ])('%s', async (_, url, line) => {
    const starting = connect({ url: url(), secretKey: double.secretKey });
    await expect(starting).rejects.toMatchObject({
      name: 'ConfigurationError',
      message: expect.stringMatching(line),
    });
    // Wherever a redirect leads, the key does not go there.
    expect(asked).not.toContain('/target');
  });

  it('may end with a slash', async () => {
    const storage = await connect({ url: `${double.url}/`, secretKey: double.secretKey });
    await put(storage, 'a.txt');
    const [url = ''] = await storage.signUrls([{ path: 'a.txt', fileName: 'a.txt' }]);
    expect(await storage.stillGood([url ?? ''])).toEqual([url]);
  });
});

describe('a server that does not answer now', () => {
  const AWAY =
    /^SUPABASE_URL: http\S+ does not answer now \(.+\); see that the address is right and the project runs$/;

  it('does not stop the start; the check tells of it until it is back', async () => {
    await double.away();
    const warnings: string[] = [];
    const warn = (_: object, message: string) => warnings.push(message);
    const log = { info() {}, warn, error() {} };
    const storage = await connect(double, { log });
    expect(warnings).toEqual(['starting without the storage']);
    await expect(storage.check()).rejects.toThrow(AWAY);
    await double.back();
    await storage.check();
  });

  it.each(['hang', 'reset', 'bad gateway', 'database away', 'no connection left'] as const)(
    '%s: is told as that, not as a wrong setting',
    async (fault) => {
      double.faults.set('getBucket', fault);
      const storage = await connect(double, { checkAtStart: false, timeouts: HASTY });
      await expect(storage.check()).rejects.toThrow(AWAY);
    },
  );
});

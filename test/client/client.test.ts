import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type AnswerEvent,
  type Client,
  type ConnectionOptions,
  createClient,
  FilequeryError,
  type Filter,
  type Progress,
} from '../../src/client/index.ts';
import { FilequeryRetriever } from '../../src/client/langchain.ts';
import { AppError } from '../../src/core/errors.ts';
import { type Listening, listen } from '../../src/http/listen.ts';
import { newCustomer } from '../support/client.ts';
import { createFaults } from '../support/faults.ts';
import { startBeside, type TestGateway } from '../support/gateway.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

const CREDITS = 10;
const fox = new File(['The fox is quick. The hen is slow.'], 'fox "the" quick.txt', {
  type: 'text/plain',
});
const QUESTION = 'Is the fox quick?';

const faults = createFaults();
let gateway: TestGateway;
let server: Listening;
let apiKey: string;
let customerId: string;
let client: Client;

beforeAll(async () => {
  gateway = await startBeside({}, faults.override);
  server = await listen(gateway.fetch, { host: '127.0.0.1', port: 0 });
});
beforeEach(async () => {
  ({ apiKey, customerId } = await newCustomer(gateway, String(CREDITS)));
  client = connect();
});
afterEach(() => faults.mend());
afterAll(async () => {
  await server.stop();
  await gateway.close();
});

const connect = (options: Partial<ConnectionOptions> = {}) =>
  createClient({ url: server.url, credential: apiKey, ...options });

async function paid(): Promise<number> {
  await gateway.settle();
  const customers = await gateway.admin.listCustomers();
  const { credits } = customers.find((one) => one.customerId === customerId) ?? {};
  return Math.round((CREDITS - Number(credits)) * 10) / 10;
}

const upload = (by = client) => by.upload([fox], { datasetId: 'docs' });

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  return Array.fromAsync(items);
}

const textOf = (events: AnswerEvent[]) =>
  events.map((event) => (event.type === 'delta' ? event.delta : '')).join('');

describe('the client', () => {
  it('uploads with metadata and tells the progress', async () => {
    const progress: Progress[] = [];
    const { files, billed } = await client.upload([fox], {
      datasetId: 'docs',
      metadata: { 0: { year: 2026 } },
      onProgress: (step) => progress.push(step),
    });
    expect(files).toMatchObject([{ originalName: fox.name, extraMeta: { year: 2026 } }]);
    expect(billed).toEqual({ fileCount: 1, uploadUnits: 1 });
    const last = progress.at(-1);
    expect(last?.totalBytes).toBeGreaterThan(fox.size);
    expect(last?.sentBytes).toBe(last?.totalBytes);
    expect(await paid()).toBe(1);
  });

  it('skips duplicates', async () => {
    await upload();
    const again = await client.upload([fox], { datasetId: 'docs', onDuplicate: 'SKIP' });
    expect(again).toMatchObject({ files: [], skipped: [{ originalName: fox.name }] });
  });

  it('lists every page, reads and deletes', async () => {
    const names = ['a.txt', 'b.txt', 'c.txt'];
    await client.upload(
      names.map((name) => new File([name], name)),
      { datasetId: 'docs' },
    );
    const listed = await all(client.list({ datasetId: 'docs', pageSize: 2 }));
    expect(listed.map(({ originalName }) => originalName).sort()).toEqual(names);
    const { fileId = '' } = listed[0] ?? {};
    const { permanentUrl } = await client.get(fileId, { datasetId: 'docs' });
    expect(permanentUrl).toMatch(/^http/);
    const link = permanentUrl.replace('http://filequery.test', server.url);
    expect(await (await client.download(link)).text()).toBe(listed[0]?.originalName);
    const wrong = { status: 403, code: 'INVALID_DOWNLOAD_LINK' };
    await expect(client.download(`${link}x`)).rejects.toMatchObject(wrong);
    await client.delete(fileId, { datasetId: 'docs' });
    expect(await all(client.list({ datasetId: 'docs' }))).toHaveLength(2);
  });

  it('lists with filters and with the fields that are asked for', async () => {
    const metadata = { 'a.txt': { year: 1 }, 'b.txt': { year: 2 }, 'c.txt': { year: 3 } };
    const files = Object.keys(metadata).map((name) => new File([name], name));
    await client.upload(files, { datasetId: 'docs', metadata });
    const filters = [{ key: 'year', range: { gte: 2 } }];
    const fields = ['originalName', 'contentHash', 'created', 'transcriptionSrt'] as const;
    const some = await all(client.list({ datasetId: 'docs', filters, fields, pageSize: 1 }));
    const { contentHash } = some.find(({ originalName }) => originalName === 'b.txt') ?? {};
    expect(contentHash).toBe(createHash('sha256').update('b.txt').digest('hex'));
    expect(some.map((file) => Object.keys(file))).toEqual([fields, fields]);
    const whole = await all(client.list({ datasetId: 'docs' }));
    const filtered = await all(client.list({ datasetId: 'docs', filters: { should: filters } }));
    expect(filtered).toEqual(whole.filter(({ extraMeta }) => extraMeta?.['year'] !== 1));
    const wrong = all(client.list({ fields }));
    await expect(wrong).rejects.toMatchObject({ code: 'DATASET_REQUIRED_IN_QUERY' });
    for (const other of [{}, { fields }]) {
      const none = all(client.list({ datasetId: 'docs', pageSize: 0, ...other }));
      await expect(none).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    }
  });

  it('sends requests of any kind, with a new token when the old one is refused', async () => {
    const { token } = await client.createToken({ datasetId: 'docs' });
    const tokens = ['expired', token, 'none'];
    const browser = connect({ credential: () => tokens.shift() ?? '' });
    const get = { method: 'GET' } as const;
    expect(await (await browser.fetch('/v1/files', get)).json()).toMatchObject({ files: [] });
    expect((await browser.fetch('/v1/nothing', get)).status).toBe(404);
    expect((await connect({ credential: 'wrong' }).fetch('/v1/files', get)).status).toBe(401);
  });

  it('tells a file that has changed, and a server that is no gateway', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'filequery-test-'));
    const path = join(folder, 'a.txt');
    await writeFile(path, 'A.');
    const file = new File([await openAsBlob(path)], 'a.txt');
    await writeFile(path, 'Changed.');
    const changed = client.upload([file], { datasetId: 'docs' });
    await expect(changed).rejects.toMatchObject({ name: 'NotReadableError' });
    await rm(folder, { recursive: true });
    const page = connect({ fetch: async () => new Response('<html></html>') });
    const asked = page.search(QUESTION, { datasetId: 'docs' });
    const noGateway = { code: 'NO_GATEWAY', status: 200 };
    await expect(asked).rejects.toMatchObject(noGateway);
    const answer = all(page.ask(QUESTION, { datasetId: 'docs' }));
    await expect(answer).rejects.toMatchObject(noGateway);
    for (const body of [{ status: 'ok' }, [], null]) {
      const other = connect({ fetch: async () => Response.json(body) });
      const calls = [
        other.upload([fox]),
        other.search(QUESTION),
        other.get('id'),
        other.delete('id'),
        other.createToken({ datasetId: 'docs' }),
        all(other.list()),
        all(other.list({ fields: ['fileId'] })),
      ];
      for (const call of await Promise.allSettled(calls)) {
        expect(call).toMatchObject({ status: 'rejected', reason: noGateway });
      }
    }
  });

  it('searches with filters of every kind', async () => {
    await client.upload([fox], { datasetId: 'docs', metadata: { 0: { year: 2026 } } });
    const filters = { must: [{ key: 'year', range: { gte: 2026 } }], must_not: [] };
    const [hit] = await client.search(QUESTION, { datasetId: 'docs', limit: 1, filters });
    expect(hit).toMatchObject({ pageContent: expect.stringContaining('quick') });
    const others = [{ key: 'year', match: { except: [2026] } }];
    expect(await client.search(QUESTION, { datasetId: 'docs', filters: others })).toEqual([]);
  });

  it('sends filters of untyped programs as they are, over REST and GraphQL', async () => {
    await client.upload([fox], { datasetId: 'docs', metadata: { 0: { year: 2026 } } });
    const count = async (filter: object) => {
      const options = { datasetId: 'docs', filters: [filter as Filter] };
      return [
        await client.search(QUESTION, options).then((hits) => hits.length),
        await all(client.list(options)).then((files) => files.length),
      ];
    };
    const match = { value: 2027 };
    expect(await count({ key: 'year', match, range: undefined })).toEqual([0, 0]);
    expect(await count({ key: 'year', range: { gt: 2025 } })).toEqual([1, 1]);
    const filters = [{ key: 'year', match, range: { gt: 2025 } }];
    const both = { datasetId: 'docs', filters };
    await expect(client.search(QUESTION, both)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(all(client.list(both))).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('answers with sources and citations', async () => {
    await client.upload([fox], { datasetId: 'docs', metadata: { 0: { year: 2026 } } });
    const filters = { must: [{ key: 'year', range: { gte: 2026 } }], must_not: [] };
    const events = await all(client.ask(QUESTION, { datasetId: 'docs', filters }));
    expect(events[0]).toMatchObject({ type: 'sources', sources: [{ metadata: { year: 2026 } }] });
    expect(textOf(events)).toContain('quick');
    const last = events.at(-1);
    expect(last).toMatchObject({ type: 'completed', result: textOf(events) });
    const cited = events.flatMap((event) => (event.type === 'citation' ? [event.citation] : []));
    expect(cited).not.toEqual([]);
    expect(last).toMatchObject({ citations: cited });
    expect(await paid()).toBe(1.1);
  });

  it('reads answers, metadata and refusals with the separators of lines that JSON does not escape', async () => {
    const [note, wrong] = ['one\u2028two\u2029three', 'no\u2028filter'];
    await client.upload([fox], { datasetId: 'docs', metadata: { 0: { note } } });
    faults.answerWith(async function* () {
      yield note;
    });
    const [first, ...events] = await all(client.ask(QUESTION, { datasetId: 'docs' }));
    expect(first).toMatchObject({ sources: [{ metadata: { note } }] });
    expect(events.at(-1)).toMatchObject({ type: 'completed', result: note });
    const filters = [{ [wrong]: 1 } as unknown as Filter];
    const refused = all(client.ask(QUESTION, { datasetId: 'docs', filters }));
    await expect(refused).rejects.toMatchObject({ message: expect.stringContaining(wrong) });
  });

  it('says what was refused, with its code', async () => {
    await expect(client.search('', { datasetId: 'docs' })).rejects.toMatchObject({
      name: 'FilequeryError',
      ...{ code: 'DATASET_AND_QUESTION_REQUIRED', status: 400 },
    });
    const poor = connect({ credential: (await newCustomer(gateway, '0')).apiKey });
    const unpaid = { code: 'INSUFFICIENT_CREDITS', details: { available: 0 } };
    await expect(upload(poor)).rejects.toMatchObject({ ...unpaid, status: 402 });
    await expect(all(poor.ask(QUESTION, { datasetId: 'docs' }))).rejects.toMatchObject(unpaid);
  });

  it('says that an idempotency key is empty, with which a retry would be paid again', async () => {
    const keyless = { datasetId: 'docs', idempotencyKey: '' };
    const calls = [
      client.upload([fox], keyless),
      client.search(QUESTION, keyless),
      client.createToken(keyless),
      all(client.ask(QUESTION, keyless)),
    ];
    for (const call of await Promise.allSettled(calls)) {
      expect(call).toMatchObject({ status: 'rejected', reason: { code: 'INVALID_INPUT' } });
    }
    expect(await paid()).toBe(0);
  });

  it('says what a proxy refused, whatever its JSON looks like', async () => {
    const bodies = [{ errors: { path: ['unknown'] } }, { error: { message: 'no' } }, 'no', null];
    for (const body of bodies) {
      const proxied = connect({ fetch: async () => Response.json(body, { status: 404 }) });
      await expect(proxied.search(QUESTION)).rejects.toMatchObject({
        name: 'FilequeryError',
        ...{ code: 'HTTP_404', status: 404, message: 'HTTP 404' },
      });
    }
    let sent = 0;
    const busy = async () => Response.json({ errors: { proxy: 'busy' } }, { status: 503 });
    const late = connect({ fetch: (...args) => (sent++ === 0 ? busy() : fetch(...args)) });
    expect(await late.search(QUESTION, { datasetId: 'docs' })).toEqual([]);
  });

  it.each([
    [{ url: 'files.example.com' }, TypeError, 'url must'],
    [{ url: 'localhost:4000' }, TypeError, 'url must'],
    [{ url: '' }, TypeError, 'url must'],
    [{ retries: -1 }, RangeError, 'retries must'],
    [{ retries: Number.NaN }, RangeError, 'retries must'],
    [{ retries: 0.5 }, RangeError, 'retries must'],
  ])('rejects the option %o', (options, kind, message) => {
    expect(() => connect(options)).toThrow(kind);
    expect(() => connect(options)).toThrow(message);
  });

  it('stops when it is told to', async () => {
    const reason = new Error('enough');
    const signal = AbortSignal.abort(reason);
    await expect(client.search(QUESTION, { datasetId: 'docs', signal })).rejects.toBe(reason);
    await upload();
    const running = new AbortController();
    faults.before('embeddings.embedQuestion', () => running.abort(reason));
    const asked = client.search(QUESTION, { datasetId: 'docs', signal: running.signal });
    await expect(asked).rejects.toBe(reason);
    const waiting = new AbortController();
    faults.before('embeddings.embedQuestion', () => {
      setTimeout(() => waiting.abort(reason), 50);
      throw new AppError('UNAVAILABLE', { retryAfterSeconds: 30 });
    });
    const retried = client.search(QUESTION, { datasetId: 'docs', signal: waiting.signal });
    await expect(retried).rejects.toBe(reason);
    // A server for tokens that does not answer.
    const tokenless = connect({ credential: () => new Promise<string>(() => {}) });
    const unsent = tokenless.search(QUESTION, { signal: AbortSignal.timeout(50) });
    await expect(unsent).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

describe('a credential that is refused', () => {
  it('is fetched anew, once for all requests', async () => {
    await upload();
    const { token } = await client.createToken({ datasetId: 'docs', ttlSeconds: 60 });
    const tokens = ['expired', token];
    let fetched = 0;
    const browser = connect({ credential: () => tokens[fetched++] ?? 'none' });
    const found = await Promise.all([browser.search(QUESTION), browser.search(QUESTION)]);
    expect(found.map((hits) => hits.length)).toEqual([1, 1]);
    expect((await all(browser.ask(QUESTION))).at(-1)).toMatchObject({ type: 'completed' });
    expect(fetched).toBe(2);
  });

  it('is fetched once when several requests are refused at the same time', async () => {
    let fetched = 0;
    const browser = connect({
      credential: () => (++fetched === 1 ? 'expired' : 'renewed'),
      fetch: async (_url, init) =>
        new Headers(init?.headers).get('authorization') === 'Bearer renewed'
          ? Response.json({ success: true, data: [] })
          : Response.json({ error: 'x' }, { status: 401 }),
    });
    await Promise.all([1, 2, 3].map(() => browser.search(QUESTION)));
    expect(fetched).toBe(2);
  });

  it('is not fetched forever', async () => {
    let fetched = 0;
    const browser = connect({ credential: () => `wrong-${++fetched}` });
    const refused = { code: 'INVALID_CREDENTIAL', status: 401 };
    await expect(browser.search(QUESTION)).rejects.toMatchObject(refused);
    expect(fetched).toBe(2);
    await expect(all(browser.ask(QUESTION))).rejects.toMatchObject(refused);
    expect(fetched).toBe(3);
  });

  it('is not sent and not kept when it is none, such as the page of an error', async () => {
    await upload();
    let sent = 0;
    let page = '<html>\n<h1>Not found</h1>\n</html>';
    const { token } = await client.createToken({ datasetId: 'docs' });
    const browser = connect({
      credential: () => page || token,
      fetch: (...args) => {
        sent++;
        return fetch(...args);
      },
    });
    const unusable = { code: 'INVALID_CREDENTIAL', message: expect.stringContaining('neither') };
    await expect(browser.search(QUESTION)).rejects.toMatchObject(unusable);
    await expect(all(browser.ask(QUESTION))).rejects.toMatchObject(unusable);
    page = JSON.parse('{"error":"Not found"}').token;
    const missing = connect({ credential: async () => page });
    await expect(missing.search(QUESTION)).rejects.toMatchObject(unusable);
    await expect(connect({ credential: page }).search(QUESTION)).rejects.toMatchObject(unusable);
    expect(sent).toBe(0);
    page = '';
    expect(await browser.search(QUESTION)).toHaveLength(1);
  });

  it('is not replaced after an attempt that may have been paid', async () => {
    await upload();
    let sent = 0;
    let fetched = 0;
    const browser = connect({
      credential: () => {
        fetched++;
        return apiKey;
      },
      fetch: async (...args) => {
        const response = await fetch(...args);
        await response.clone().arrayBuffer();
        if (sent++ === 0) throw new TypeError('cut');
        return Response.json(
          { error: 'x' },
          { status: 401, headers: { 'x-error-code': 'TOKEN_EXPIRED' } },
        );
      },
    });
    const search = browser.search(QUESTION, { datasetId: 'docs' });
    await expect(search).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' });
    expect(fetched).toBe(1);
    expect(await paid()).toBe(1.1);
  });
});

describe('a failure that passes is paid once:', () => {
  /** Loses the first answer, after the gateway has given it. */
  const losesOne = () => {
    let sent = 0;
    const lossy: typeof fetch = async (...args) => {
      const response = await fetch(...args);
      if (sent++ > 0) return response;
      await response.arrayBuffer();
      throw new TypeError('cut');
    };
    return connect({ fetch: lossy });
  };

  it('an upload whose answer is lost', async () => {
    expect(await upload(losesOne())).toMatchObject({ files: [{ originalName: fox.name }] });
    expect(await all(client.list({ datasetId: 'docs' }))).toHaveLength(1);
    expect(await paid()).toBe(1);
  });

  it('an upload whose connection is cut in the middle', async () => {
    const { port } = new URL(server.url);
    const proxy = await startTcpProxy({ port: Number(port), host: '127.0.0.1' });
    // Much to send, little to index.
    const text = `${' '.repeat(3_000_000)}The fox is quick.`;
    let cuts = 0;
    const { files } = await connect({ url: `http://127.0.0.1:${proxy.port}` }).upload(
      [new File([text], 'long.txt')],
      {
        datasetId: 'docs',
        onProgress({ sentBytes, totalBytes }) {
          if (cuts === 0 && sentBytes > totalBytes / 2) {
            cuts++;
            proxy.cut();
          }
        },
      },
    );
    await proxy.close();
    expect(cuts).toBe(1);
    expect(files).toMatchObject([{ size: text.length }]);
    expect(await all(client.list({ datasetId: 'docs' }))).toHaveLength(1);
    expect(await paid()).toBe(1);
  });

  it('an answer that takes long, after the connection was cut', async () => {
    await upload();
    const model = Promise.withResolvers<void>();
    faults.answerWith(async function* () {
      await model.promise;
      yield 'It is quick.';
    });
    let sent = 0;
    const lossy: typeof fetch = async (...args) => {
      const response = await fetch(...args);
      // More often than requests are sent again.
      if (sent++ === 3) model.resolve();
      if (sent > 1) return response;
      await response.body?.getReader().read();
      throw new TypeError('cut');
    };
    const events = await all(
      connect({ fetch: lossy, retries: 1 }).ask(QUESTION, { datasetId: 'docs' }),
    );
    expect(events.at(-1)).toMatchObject({ result: 'It is quick.' });
    expect(sent).toBeGreaterThan(3);
    expect(await paid()).toBe(1.1);
  });

  it('a request whose key is in use, which is not sent again with no retries', async () => {
    await upload();
    const model = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    faults.before('embeddings.embedQuestion', () => {
      reached.resolve();
      return model.promise;
    });
    const options = { datasetId: 'docs', idempotencyKey: 'in-use' };
    const first = client.search(QUESTION, options);
    await reached.promise;
    const second = connect({ retries: 0 }).search(QUESTION, options);
    await expect(second).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_IN_USE' });
    const signal = AbortSignal.timeout(100);
    await expect(client.search(QUESTION, { ...options, signal })).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    model.resolve();
    expect(await first).toHaveLength(1);
  });

  it('a deletion whose answer is lost', async () => {
    const { files } = await upload();
    await losesOne().delete(files[0]?.fileId ?? '', { datasetId: 'docs' });
    expect(await all(client.list({ datasetId: 'docs' }))).toEqual([]);
  });

  it('503, then success', async () => {
    await upload();
    let failures = 0;
    faults.before('embeddings.embedQuestion', () => {
      if (failures++ === 0) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 0 });
    });
    expect(await client.search(QUESTION, { datasetId: 'docs' })).toHaveLength(1);
    failures = 0;
    const events = await all(client.ask(QUESTION, { datasetId: 'docs' }));
    expect(events.map(({ type }) => type).filter((type) => type === 'sources')).toHaveLength(1);
    expect(await paid()).toBe(1.2);
  });

  it('503 for good, which costs nothing', async () => {
    await upload();
    faults.before('embeddings.embedQuestion', () => {
      throw new AppError('UNAVAILABLE', { retryAfterSeconds: 0 });
    });
    const search = connect({ retries: 1 }).search(QUESTION, { datasetId: 'docs' });
    await expect(search).rejects.toBeInstanceOf(FilequeryError);
    expect(await paid()).toBe(1);
  });

  it('an answer whose stream is cut: it goes on where it was', async () => {
    await upload();
    let sent = 0;
    const cutting: typeof fetch = async (...args) => {
      const response = await fetch(...args);
      if (sent++ > 0) return response;
      const reader = response.body?.getReader();
      const body = new ReadableStream({
        async pull(controller) {
          const { value } = (await reader?.read()) ?? {};
          if (sent++ > 1) controller.error(new TypeError('cut'));
          else controller.enqueue(value);
        },
      });
      return new Response(body, response);
    };
    const events = await all(connect({ fetch: cutting }).ask(QUESTION, { datasetId: 'docs' }));
    expect(sent).toBeGreaterThan(2);
    expect(events.filter(({ type }) => type === 'sources')).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: 'completed', result: textOf(events) });
    expect(await paid()).toBe(1.1);
  });
});

it('is a retriever of LangChain', async () => {
  await upload();
  const options = { url: server.url, credential: apiKey, datasetId: 'docs', limit: 3 };
  const [document] = await new FilequeryRetriever(options).invoke(QUESTION);
  expect(document?.pageContent).toContain('quick');
  expect(document?.metadata).toMatchObject({ originalName: fox.name, score: expect.any(Number) });
  const mine = new FilequeryRetriever({ client, datasetId: 'docs', filters: [] });
  expect(await mine.invoke(QUESTION)).toHaveLength(1);
});

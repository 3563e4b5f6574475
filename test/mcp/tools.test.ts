import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { newCustomer } from '../support/client.ts';
import { faults, shareGateway, type TestGateway } from '../support/gateway.ts';
import { callTool, connectMcp, type McpClient, PROTOCOL_VERSIONS } from '../support/mcp.ts';

const CAPITALS = 'The capital of Andorra is Andorra la Vella.';
const question = 'What is the capital of Andorra?';

let gateway: TestGateway;
/** With ten credits less two uploads. */
let me: Awaited<ReturnType<typeof newCustomer>>;
let fileId: string;
let withKey: McpClient;
let withToken: McpClient;

beforeAll(async () => {
  gateway = await shareGateway();
  me = await newCustomer(gateway, '10');
  const metadata = JSON.stringify({ 'capitals.txt': { year: 2024 } });
  const { body } = await me.upload('docs', { 'capitals.txt': CAPITALS }, { metadata });
  fileId = body.files[0].fileId;
  await me.upload('other', { 'rivers.txt': 'The river of Andorra is the Valira.' });
  const { token } = await gateway.admin.createToken(me.customerId, 'docs');
  withKey = await connect(me.apiKey);
  withToken = await connect(token);
});
afterEach(() => faults.mend());
afterAll(() => gateway.close());

const connect = (credential: string, datasetId?: string) =>
  connectMcp({ fetch: gateway.fetch, credential, datasetId });
const credits = async () =>
  Number((await gateway.admin.showCredits(me.customerId)).credits).toFixed(1);
/** What fetch has of a file with this text. */
const textOf = async (text: string, name = 'text.txt'): Promise<string> => {
  const customer = await newCustomer(gateway);
  const { body } = await customer.upload('texts', { [name]: text });
  const client = await connect(customer.apiKey, 'texts');
  return (await callTool(client, 'fetch', { id: body.files[0].fileId })).text;
};
const namesOf = async (client: McpClient) =>
  (await client.listTools()).tools.map(({ name, inputSchema }) => [name, inputSchema.required]);

describe('the tools', () => {
  test('of a token have no dataset', async () => {
    expect(await namesOf(withToken)).toEqual([
      ['search', ['query']],
      ['fetch', ['id']],
      ['ask', ['question']],
      ['list_files', undefined],
    ]);
  });

  test('of an API key require one, and tell which there are', async () => {
    expect(await namesOf(withKey)).toEqual([
      ['search', ['query', 'datasetId']],
      ['fetch', ['id', 'datasetId']],
      ['ask', ['question', 'datasetId']],
      ['list_files', ['datasetId']],
      ['list_datasets', undefined],
    ]);
    expect(await callTool(withKey, 'list_datasets')).toEqual({
      datasets: [
        { datasetId: 'docs', fileCount: 1 },
        { datasetId: 'other', fileCount: 1 },
      ],
    });
  });

  test('of an API key whose URL names the dataset are those of a token', async () => {
    const client = await connect(me.apiKey, 'docs');
    expect(await namesOf(client)).toEqual(await namesOf(withToken));
    expect(await callTool(client, 'list_files')).toMatchObject({ files: [{ id: fileId }] });
  });

  test('only read', async () => {
    const { tools } = await withKey.listTools();
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true);
  });
});

describe('search', () => {
  test('finds files with their passages, in the shape of ChatGPT', async () => {
    const before = await credits();
    const found = await callTool(withToken, 'search', { query: question });
    expect(found).toEqual({
      results: [
        {
          id: fileId,
          title: 'capitals.txt',
          url: `http://filequery.test/v1/files/${fileId}?datasetId=docs`,
          passages: [{ text: CAPITALS, score: expect.any(Number), location: { line: 1 } }],
        },
      ],
    });
    expect(await callTool(withKey, 'search', { query: question, datasetId: 'docs' })).toEqual(
      found,
    );
    expect(Number(before) - Number(await credits())).toBeCloseTo(0.2);
  });

  test('has one result for a file with several passages', async () => {
    const paragraphs = Array.from({ length: 40 }, (_, at) => `Paragraph ${at} about a fox. `);
    const { body } = await me.upload(
      'long',
      { 'fox.txt': paragraphs.join('\n\n') },
      { chunkSize: 20 },
    );
    const client = await connect(me.apiKey, 'long');
    const { results } = await callTool(client, 'search', { query: 'fox', limit: 3 });
    expect(results).toMatchObject([{ id: body.files[0].fileId, passages: [{}, {}, {}] }]);
  });

  test('takes filters', async () => {
    const since = (gte: number) => ({
      query: question,
      filters: [{ key: 'year', range: { gte } }],
    });
    expect((await callTool(withToken, 'search', since(2024))).results).toHaveLength(1);
    expect((await callTool(withToken, 'search', since(2025))).results).toEqual([]);
    const group = { must_not: [{ should: [{ key: 'year', match: { any: [2024] } }] }] };
    const without = { query: question, filters: [group] };
    expect((await callTool(withToken, 'search', without)).results).toEqual([]);
  });

  test('takes filters with null for what they do not have', async () => {
    const none = { must: null, should: null, must_not: null };
    const filters = [
      { key: 'year', match: { value: 2024, any: null, except: null }, range: null, ...none },
      { key: 'year', match: null, range: { gt: null, gte: 2024, lt: null, lte: null }, ...none },
    ];
    const { results } = await callTool(withToken, 'search', { query: question, filters });
    expect(results).toHaveLength(1);
  });

  test.each([
    [{}, /query is required/],
    [{ query: ' ' }, /question are required/],
    [{ query: 'x', limit: 51 }, /limit must be between 1 and 50/],
    [{ query: 'x', filters: [{ match: { value: 1 } }] }, /a filter needs a key/],
    [{ query: 'x', filters: 'year' }, /filters/],
    [{ query: 'x', mode: 'magic' }, /mode/],
    [{ query: 'x'.repeat(LIMITS.questionCharacters + 1) }, /at most 32000 characters/],
  ])('rejects %#, and charges nothing', async (args, reason) => {
    const before = await credits();
    expect(await callTool(withToken, 'search', args)).toMatchObject({
      failed: expect.stringMatching(reason),
    });
    expect(await credits()).toBe(before);
  });
});

describe('fetch', () => {
  test('has text and metadata of a file, and a link that downloads it', async () => {
    const fetched = await callTool(withToken, 'fetch', { id: fileId });
    expect(fetched).toEqual({
      id: fileId,
      title: 'capitals.txt',
      text: CAPITALS,
      url: expect.any(String),
      metadata: {
        datasetId: 'docs',
        mimeType: 'text/plain',
        size: CAPITALS.length,
        created: expect.stringMatching(/^\d{4}-.*Z$/),
        extraMeta: { year: 2024 },
      },
    });
    expect(await (await gateway.download(fetched.url)).text()).toBe(CAPITALS);
    expect(await callTool(withKey, 'fetch', { id: fileId, datasetId: 'docs' })).toEqual(fetched);
  });

  test('has the parts of a long file one after the other, without loss', async () => {
    const lines = Array.from({ length: 4200 }, (_, at) => `Line ${at} of a long file.`);
    const { body } = await me.upload('book', { 'book.txt': lines.join('\n') });
    const client = await connect(me.apiKey, 'book');
    const [{ fileId: id }] = body.files;
    let text = '';
    let parts = 0;
    for (let start: number | undefined = 0; start !== undefined; parts++) {
      const part = await callTool(client, 'fetch', { id, start });
      expect(part.text.length).toBeLessThan(LIMITS.textCharacters + 200);
      start = part.metadata.next;
      expect(part.text.includes(`call fetch with start ${start} to`)).toBe(start !== undefined);
      text += part.text;
    }
    expect(parts).toBeGreaterThan(1);
    expect(lines.filter((line) => !text.includes(line))).toEqual([]);
  });

  test.each([
    [
      'prose',
      '\n\n',
      (at: number) => `Paragraph ${at} is about topic ${7 * at}. It has two sentences.`,
    ],
    ['one long line', ' ', (at: number) => `Sentence ${at} of this line is about topic ${7 * at}.`],
    ['Japanese', '', (at: number) => `第${at}条、この規則は社員に適用されます。`],
  ])('has %s without what its chunks repeat', async (_, separator, partAt) => {
    const text = Array.from({ length: 150 }, (_, at) => partAt(at)).join(separator);
    expect(await textOf(text)).toBe(text);
  });

  test('has a section below a heading of two lines without what its chunks repeat', async () => {
    const paragraphs = Array.from({ length: 60 }, (_, at) => `Paragraph ${at} is about ${7 * at}.`);
    const title = '# The kettle<br>and its lid';
    const text = await textOf([title, ...paragraphs].join('\n\n'), 'kettle.md');
    expect(text.split('\n').filter(Boolean)).toEqual(['The kettle and its lid', ...paragraphs]);
  });

  test('has every letter of a file of one letter', async () => {
    const letters = (await textOf('a'.repeat(20_000))).replace(/[^a]/g, '');
    expect(letters.length).toBeGreaterThanOrEqual(20_000);
  });

  test('has every line of a file whose lines repeat', async () => {
    const lines = Array.from(
      { length: 400 },
      (_, at) => `INFO request ${at % 7 ? 'ok' : 'failed'}`,
    );
    const fetched = (await textOf(lines.join('\n'))).split('\n');
    const failures = (all: string[]) => all.filter((line) => line.endsWith('failed')).length;
    expect(fetched.length).toBeGreaterThanOrEqual(lines.length);
    expect(failures(fetched)).toBeGreaterThanOrEqual(failures(lines));
  });

  test.each([
    ['an unknown id', () => '00000000-0000-4000-8000-000000000000'],
    ['no id', () => 'capitals.txt'],
  ])('knows no file with %s', async (_, id) => {
    const failed = { failed: 'File not found', code: 'FILE_NOT_FOUND' };
    expect(await callTool(withToken, 'fetch', { id: id() })).toMatchObject(failed);
  });
});

describe('ask', () => {
  test.each(PROTOCOL_VERSIONS)(
    'answers with sources, and progress on the way, in %s',
    async (version) => {
      const { token } = await gateway.admin.createToken(me.customerId, 'docs');
      const client = await connectMcp({ fetch: gateway.fetch, credential: token, version });
      const before = await credits();
      const progress: { progress: number; message?: string }[] = [];
      const { structuredContent } = await client.callTool(
        { name: 'ask', arguments: { question } },
        { onprogress: (one) => progress.push(one) },
      );
      expect(structuredContent).toMatchObject({
        answer: expect.stringContaining('Andorra la Vella'),
        sources: [{ id: fileId, title: 'capitals.txt', text: CAPITALS }],
        citations: [{ statement: expect.stringContaining(CAPITALS), source: 1, supported: true }],
      });
      const { answer } = structuredContent as { answer: string };
      expect(progress.map(({ message }) => message).join('')).toBe(answer);
      expect(progress.at(-1)?.progress).toBe(answer.length);
      expect(Number(before) - Number(await credits())).toBeCloseTo(0.1);
    },
  );

  test.each([
    // Versions with a handshake cancel by a message, which may reach another gateway.
    ['2025-11-25', 'goes away', (client: McpClient) => client.close()],
    ['2026-07-28', 'cancels', (_: McpClient, cancel: AbortController) => cancel.abort()],
  ] as const)('of version %s stops when the client %s', async (version, _, leave) => {
    const { promise: stopped, resolve } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    faults.answerWith(async function* (_prompt, signal) {
      yield 'The beginning of an answer that never ends. ';
      begin();
      await new Promise((done) => signal.addEventListener('abort', done));
      resolve();
    });
    const { fetch } = gateway;
    const client = await connectMcp({ fetch, credential: me.apiKey, datasetId: 'docs', version });
    const cancel = new AbortController();
    const { signal } = cancel;
    const asked = client.callTool({ name: 'ask', arguments: { question } }, { signal });
    const outcome = asked.catch(() => 'cancelled');
    await begun;
    await leave(client, cancel);
    expect(await outcome).toBe('cancelled');
    await stopped;
  });

  test('that fails is refunded and masked', async () => {
    const before = await credits();
    faults.fail('embeddings.embedQuestion');
    const failed = await callTool(withToken, 'ask', { question });
    expect(failed).toMatchObject({ failed: 'Internal error', code: 'INTERNAL' });
    expect(JSON.stringify(failed)).not.toContain('on purpose');
    await vi.waitFor(async () => expect(await credits()).toBe(before));
  });
});

describe('list_files', () => {
  test('pages through the files, and filters them', async () => {
    const client = await connect(me.apiKey, 'pages');
    const metadata = JSON.stringify({ 'b.txt': { kind: 'b' } });
    await me.upload('pages', { 'a.txt': 'A.', 'b.txt': 'B.', 'c.txt': 'C.' }, { metadata });
    const titles: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await callTool(client, 'list_files', { limit: 2, cursor: cursor ?? '' });
      titles.push(...page.files.map(({ title }: { title: string }) => title));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(titles.sort()).toEqual(['a.txt', 'b.txt', 'c.txt']);
    const filters = [{ key: 'kind', match: { value: 'b' } }];
    expect(await callTool(client, 'list_files', { filters })).toMatchObject({
      files: [{ title: 'b.txt', metadata: { extraMeta: { kind: 'b' } } }],
    });
    expect(await callTool(client, 'list_files', { cursor: 'x' })).toHaveProperty('failed');
  });

  test('takes null for what is missing, as all tools do', async () => {
    const page = await callTool(withToken, 'list_files', {
      limit: null,
      cursor: null,
      filters: null,
    });
    expect(page).toMatchObject({ files: [{ title: 'capitals.txt' }] });
    const found = await callTool(withToken, 'search', {
      query: 'capital of France',
      filters: null,
      limit: null,
      mode: null,
    });
    expect(found).toMatchObject({ results: [{ title: 'capitals.txt' }] });
    const { id } = page.files[0];
    expect(await callTool(withToken, 'fetch', { id, start: null })).toMatchObject({ id });
    expect(await callTool(withToken, 'list_files', { limit: '2' })).toHaveProperty('failed');
    expect(await callTool(withToken, 'fetch', { id: null })).toHaveProperty('failed');
  });
});

describe('resources', () => {
  test('are the files of the dataset', async () => {
    const { resources } = await withToken.listResources();
    expect(resources).toMatchObject([{ name: 'capitals.txt', mimeType: 'text/plain' }]);
    const [{ uri } = { uri: '' }] = resources;
    const { contents } = await withKey.readResource({ uri });
    expect(contents).toEqual([{ uri, mimeType: 'text/plain', text: CAPITALS }]);
    expect((await withKey.listResources()).resources).toEqual([]);
    const { resourceTemplates } = await withKey.listResourceTemplates();
    expect(resourceTemplates).toMatchObject([
      { uriTemplate: 'filequery:///datasets/{datasetId}/files/{fileId}{?start}' },
    ]);
  });

  test.each([
    'filequery:///datasets/docs/files/unknown',
    'filequery:///datasets/%/files/unknown',
    'file:///etc/passwd',
  ])('%s is none', async (uri) => {
    await expect(withKey.readResource({ uri })).rejects.toThrow('File not found');
  });

  test('of another dataset are refused to a token', async () => {
    const uri = `filequery:///datasets/other/files/${fileId}`;
    await expect(withToken.readResource({ uri })).rejects.toThrow('mismatch');
  });
});

describe('isolation', () => {
  test('nothing of one customer is shown to another', async () => {
    const stranger = await connect((await newCustomer(gateway, '10')).apiKey, 'docs');
    expect(await callTool(stranger, 'search', { query: question })).toEqual({ results: [] });
    expect(await callTool(stranger, 'list_files')).toEqual({ files: [] });
    expect(await callTool(stranger, 'ask', { question })).toMatchObject({ sources: [] });
    const failed = { failed: 'File not found' };
    expect(await callTool(stranger, 'fetch', { id: fileId })).toMatchObject(failed);
    const uri = `filequery:///datasets/docs/files/${fileId}`;
    await expect(stranger.readResource({ uri })).rejects.toThrow('File not found');
  });

  test('a token cannot name another dataset', async () => {
    const { token } = await gateway.admin.createToken(me.customerId, 'docs');
    const client = await connect(token, 'other');
    for (const [name, args] of [
      ['search', { query: question }],
      ['fetch', { id: fileId }],
      ['ask', { question }],
      ['list_files', {}],
    ] as const) {
      expect(await callTool(client, name, args)).toMatchObject({
        failed: expect.stringContaining('mismatch'),
      });
    }
    // An argument that the tool does not have is no way around it.
    const other = await callTool(withToken, 'list_files', { datasetId: 'other' });
    expect(other).toMatchObject({ files: [{ id: fileId }] });
  });
});

test.each([
  ['READ', ['fetch', 'list_files']],
  ['ASK', ['search', 'ask']],
] as const)('a token that allows %s is denied the other tools', async (permission, allowed) => {
  const options = { permissions: [permission] };
  const { token } = await gateway.admin.createToken(me.customerId, 'docs', options);
  const client = await connect(token);
  for (const [name, args] of [
    ['search', { query: question }],
    ['fetch', { id: fileId }],
    ['ask', { question }],
    ['list_files', {}],
  ] as const) {
    const isAllowed = allowed.some((one) => one === name);
    const { code } = await callTool(client, name, args);
    expect([name, code]).toEqual([name, isAllowed ? undefined : 'PERMISSION_DENIED']);
  }
});

test('for a token with filters, other files do not exist', async () => {
  const filters = [{ key: 'year', match: { value: 1999 } }];
  const { token } = await gateway.admin.createToken(me.customerId, 'docs', { filters });
  const client = await connect(token);
  expect(await callTool(client, 'list_files')).toEqual({ files: [] });
  expect(await callTool(client, 'search', { query: question })).toEqual({ results: [] });
  expect(await callTool(client, 'fetch', { id: fileId })).toMatchObject({ code: 'FILE_NOT_FOUND' });
  expect((await client.listResources()).resources).toEqual([]);
});

test('without credits, says what it costs', async () => {
  const { apiKey } = await newCustomer(gateway, '0');
  expect(await callTool(await connect(apiKey, 'docs'), 'search', { query: 'x' })).toMatchObject({
    failed: 'INSUFFICIENT_CREDITS: This costs 0.1 credits and 0 are left: please top up.',
    code: 'INSUFFICIENT_CREDITS',
    details: { required: 0.1, available: 0 },
  });
});

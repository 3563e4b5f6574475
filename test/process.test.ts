import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from './support/client.ts';
import { failingStart } from './support/listening.ts';
import { type GatewayProcess, newDataFolder, run, runIn, startProcess } from './support/process.ts';

const SECRETS = {
  TOKEN_SECRET: 'hidden-token-secret-0123456789abcdef',
  OPENAI_API_KEY: 'hidden-openai-key',
  SUPABASE_SECRET_KEY: 'hidden-supabase-key',
  DATABASE_URL: 'postgres://user:hidden-password@127.0.0.1:1/db',
  REDIS_URL: 'redis://:hidden-redis-password@127.0.0.1:1',
};

let folder: Awaited<ReturnType<typeof newDataFolder>>;

beforeAll(async () => {
  folder = await newDataFolder();
});
afterAll(() => folder.remove());

describe('a gateway', () => {
  let gateway: GatewayProcess;
  let apiKey: string;

  beforeAll(async () => {
    gateway = await startProcess(folder.dataDir, { LOG_LEVEL: 'trace' });
    await gateway.wrote(/\/v1\/query\n/);
    [, apiKey = ''] = await gateway.wrote(/^ {2}(fq_\S+)$/m);
  });
  afterAll(() => gateway.child.kill('SIGKILL'));

  it('prints commands to paste at its first start, and they work', async () => {
    const commands = gateway.output().stdout.match(/^ {2}curl (.*\\\n)*.*$/gm) ?? [];
    const [uploaded, listed, asked] = await pasteAll(commands);
    expect(JSON.parse(uploaded ?? '')).toMatchObject({
      success: true,
      files: [{ originalName: 'README.md', datasetId: 'docs' }],
    });
    expect(JSON.parse(listed ?? '').files).toHaveLength(1);
    expect(asked).toMatch(/^data: \{"delta":.*"\}\n\n/);
    expect(asked).toMatch(/data: \{"done":true\}\n\n$/);
  });

  it.each(['/health', '/graphql', '/v1/files?datasetId=docs'])(
    'answers HEAD %s as GET, without a body',
    async (path) => {
      const headers = { authorization: `Bearer ${apiKey}` };
      const response = await fetch(gateway.url + path, { method: 'HEAD', headers });
      expect(response.status).toBe(200);
      expect(await response.text()).toBe('');
    },
  );

  it('is what README and API page say it is', async () => {
    const pages = await Promise.all(
      ['README.md', 'docs/api.md'].map((path) => readFile(path, 'utf8')),
    );
    const blocks = [...pages.join('\n').matchAll(/```sh\n(.*?)```/gs)].map(
      ([, block = '']) => block,
    );
    const commands = blocks
      .flatMap((block) => block.match(/^(curl (?:.*\\\n)*.*)$/gm) ?? [])
      // The upload by URL is from somebody else's server.
      .filter((command) => !command.includes('urls='))
      .map((command) => command.replaceAll('http://127.0.0.1:4000', gateway.url));
    expect(commands.length).toBeGreaterThanOrEqual(5);
    for (const answer of await pasteAll(commands, { KEY: apiKey })) {
      expect(answer).toMatch(/"success":true|"data":\{|"done":true|"token":"/);
    }
  });

  it('keeps its token secret for itself', async () => {
    expect(await readdir(folder.dataDir)).toContain('token-secret');
    const { mode } = await stat(join(folder.dataDir, 'token-secret'));
    expect((mode & 0o777).toString(8)).toBe('600');
    expect(((await stat(folder.dataDir)).mode & 0o077).toString(8)).toBe('0');
  });

  it('logs JSON lines, and no credential and no question in them', async () => {
    const me = createClient(gateway, apiKey);
    const { body } = await me.rest('POST', '/tokens/create', { datasetId: 'docs' });
    const bearer = createClient(gateway, body.token);
    const form = { 'private-name.txt': 'Some private text.' };
    await me.upload('private-dataset', form, { metadata: '{}' });
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const question = { question: 'a private question', stream: false };
    await bearer.raw('POST', '/v1/query', question, { headers: { traceparent } });
    await me.graphql('query PrivateName { viewer { customerId } }');
    await me.raw('GET', `/v1/${apiKey}?question=private`);
    await createClient(gateway, 'fq_a-bad-key').rest('GET', '/files?datasetId=docs');
    await gateway.wrote(/"status":401/);
    const { stderr } = gateway.output();
    const lines = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const { version } = JSON.parse(await readFile('package.json', 'utf8'));
    expect(lines[0]).toMatchObject({ msg: 'started', version, node: process.versions.node });
    expect(lines).toContainEqual(expect.objectContaining({ route: '/v1/files', status: 401 }));
    const [, customerId] = /"customerId":"([^"]+)"/.exec(stderr) ?? [];
    expect(lines).toContainEqual(
      expect.objectContaining({
        ...{ method: 'POST', route: '/v1/query', status: 200, customerId },
        traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
        operations: ['answerQuestion'],
        steps: expect.objectContaining({ credits: expect.any(Number), model: expect.any(Number) }),
      }),
    );
    expect(lines).toContainEqual(
      expect.objectContaining({ route: '/graphql', operations: ['describeViewer'], customerId }),
    );
    for (const secret of [apiKey, body.token, 'fq_a-bad-key']) expect(stderr).not.toContain(secret);
    expect(stderr).not.toMatch(/private/i);
  });

  it('runs the client of README as it is there', async () => {
    const page = await readFile('README.md', 'utf8');
    const [, block = ''] =
      /```js\n(import \{ createClient \} from 'graphql-sse'.*?)```/s.exec(page) ?? [];
    const code = block.replaceAll('http://127.0.0.1:4000', gateway.url);
    const node = (source: string, KEY: string) =>
      runIn('.', process.execPath, ['--input-type=module', '--eval', source], { KEY }).ended;
    const [asked, unknown, blank] = await Promise.all([
      node(code, apiKey),
      node(code, 'fq_unknown'),
      node(code.replace(/question: '[^']+'/, "question: ' '"), apiKey),
    ]);
    expect(asked).toMatchObject({ code: 0, stdout: expect.stringMatching(/\w{3}/), stderr: '' });
    expect(unknown.stderr).toContain('Invalid API key or token');
    expect(blank.stderr).toContain('datasetId and question are required');
  });

  it('has its folder for itself: a second one is refused with one line', async () => {
    const { code, stdout, stderr } = await run('src/main.ts', [], {
      DATA_DIR: folder.dataDir,
      PORT: '0',
    }).ended;
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: `DATA_DIR: ${folder.dataDir} is in use by another filequery process; end that one, or choose another folder\n`,
    });
  });

  it('lets running requests finish at SIGTERM, takes no more, and ends with 0', async () => {
    const [first, second] = [
      '--x\r\ncontent-disposition: form-data; name="file"; filename="late.txt"\r\n\r\nLate',
      ' but whole.\r\n--x--\r\n',
    ];
    const { promise: stopping, resolve } = Promise.withResolvers<void>();
    const body = new ReadableStream({
      async start(controller) {
        controller.enqueue(Buffer.from(first));
        await stopping;
        controller.enqueue(Buffer.from(second));
        controller.close();
      },
    });
    const { token } = (
      await createClient(gateway, apiKey).rest('POST', '/tokens/create', { datasetId: 'late' })
    ).body;
    const upload = fetch(`${gateway.url}/v1/files/upload`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'multipart/form-data; boundary=x',
      },
      body,
      duplex: 'half',
    } as RequestInit);
    await until(async () => (await readdir(join(folder.dataDir, 'incoming'))).length > 0);
    gateway.child.kill('SIGTERM');
    await gateway.wrote(/"stopping"/);
    await expect(fetch(`${gateway.url}/health`)).rejects.toThrow();
    resolve();
    expect(await (await upload).json()).toMatchObject({ success: true });
    expect(await gateway.ended).toMatchObject({ code: 0, signal: null });
  });

  it('has it all again at its next start, of which it prints the address only', async () => {
    gateway = await startProcess(folder.dataDir);
    const { body } = await createClient(gateway, apiKey).rest('GET', '/files?datasetId=late');
    expect(body.files).toMatchObject([{ originalName: 'late.txt', size: 15 }]);
    gateway.child.kill('SIGINT');
    const { code, stdout } = await gateway.ended;
    expect(code).toBe(0);
    expect(stdout).toBe(`filequery is at ${gateway.url} (GraphiQL: ${gateway.url}/graphql)\n`);
  });
});

describe('a start is refused with one line, and tells no secret:', () => {
  const { TOKEN_SECRET, DATABASE_URL, SUPABASE_SECRET_KEY, OPENAI_API_KEY } = SECRETS;
  it.each<[settings: Record<string, string>, told: RegExp]>([
    [
      { PORT: 'abc', ...SECRETS, SUPABASE_URL: 'https://x.supabase.co' },
      /^ConfigurationError: PORT: must be a whole number/,
    ],
    [
      { TOKEN_SECRET: 'too-short-a-secret' },
      /^ConfigurationError: TOKEN_SECRET: must be at least 32 characters long$/,
    ],
    [{ DATABASE_URL }, /^ConfigurationError: TOKEN_SECRET: must be set when DATABASE_URL is/],
    [
      { DATABASE_URL: 'mysql://user:hidden-password@host/db', TOKEN_SECRET },
      /^ConfigurationError: DATABASE_URL: /,
    ],
    [
      { SUPABASE_URL: 'https://x.supabase.co' },
      /^ConfigurationError: SUPABASE_SECRET_KEY: must be set/,
    ],
    [{ SUPABASE_SECRET_KEY }, /^ConfigurationError: SUPABASE_URL: must be set/],
    [
      { SUPABASE_URL: 'x.supabase.co', SUPABASE_SECRET_KEY },
      /^ConfigurationError: SUPABASE_URL: must be an http\(s\) URL$/,
    ],
    [
      { OPENAI_API_KEY, OPENAI_BASE_URL: 'nowhere' },
      /^ConfigurationError: OPENAI_BASE_URL: must be an http\(s\) URL$/,
    ],
    [{ DATA_DIR: 'package.json/data' }, /^ConfigurationError: DATA_DIR: cannot be used: /],
    [{ DATA_DIR: '/proc/filequery/data' }, /^ConfigurationError: DATA_DIR: cannot be used: /],
    [
      { DATA_DIR: 'memory' },
      /^ConfigurationError: DATA_DIR: must be memory: with its colon, or a folder/,
    ],
    [
      { DATA_DIR: ':memory:' },
      /^ConfigurationError: DATA_DIR: must be memory: with its colon, or a folder/,
    ],
    [{ PUBLIC_URL: 'x.example' }, /^ConfigurationError: PUBLIC_URL: must be an http\(s\) URL$/],
    [
      { PUBLIC_URL: 'https://x.example/?a=b' },
      /^ConfigurationError: PUBLIC_URL: must have no query/,
    ],
    [
      { CORS_ORIGINS: 'https://app.example/' },
      /^ConfigurationError: CORS_ORIGINS: must be \* alone, or origins/,
    ],
    [
      { CORS_ORIGINS: '*,https://a.example' },
      /^ConfigurationError: CORS_ORIGINS: must be \* alone, or origins/,
    ],
    [
      { CORS_ORIGINS: 'https://a.example:443' },
      /^ConfigurationError: CORS_ORIGINS: must be \* alone, or origins/,
    ],
    [
      { CORS_ORIGINS: 'app.example' },
      /^ConfigurationError: CORS_ORIGINS: must be \* alone, or origins/,
    ],
    [
      { CORS_ORIGINS: 'https://a.example,' },
      /^ConfigurationError: CORS_ORIGINS: must be \* alone, or origins/,
    ],
    [{ HOST: '999.1.1.1' }, /^ConfigurationError: HOST: must be a host name or an IP address/],
    [{ HOST: '[::1]' }, /^ConfigurationError: HOST: must be a host name or an IP address/],
    [{ HOST: '192.0.2.1' }, /^ConfigurationError: HOST, PORT: cannot listen on 192\.0\.2\.1:0: /],
  ])('%o', async (settings, told) => {
    const line = await failingStart(settings);
    expect(line).toMatch(told);
    expect(line).not.toMatch(/hidden|too-short|\n/);
  });

  it('a port that is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    expect(await failingStart({ PORT: String(port) })).toMatch(
      /^ConfigurationError: HOST, PORT: cannot listen on 127\.0\.0\.1:\d+: .*EADDRINUSE[^\n]*$/,
    );
    server.close();
  });
});

/** Runs commands one after the other as a person would, and returns what each printed. */
async function pasteAll(commands: string[], variables = {}): Promise<string[]> {
  const answers: string[] = [];
  for (const command of commands) {
    const env = { PATH: process.env['PATH'], ...variables };
    const { stdout } = await promisify(execFile)('bash', ['-c', `${command} --silent`], { env });
    answers.push(stdout);
  }
  return answers;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5));
}

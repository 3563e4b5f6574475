import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFilequery, type Filequery } from '../support/filequery.ts';
import { shareGateway, type TestGateway } from '../support/gateway.ts';
import { runIn } from '../support/process.ts';

let gateway: TestGateway;
let filequery: Filequery;

beforeAll(async () => {
  gateway = await shareGateway();
  filequery = createFilequery(gateway.dataDir, gateway.settings);
  for (const name of ['ACME', 'Twin', 'Twin']) {
    await gateway.admin.createCustomer({ name, credits: '1' });
  }
  await gateway.admin.createCustomer({ name: 'Free', credits: null });
});
afterAll(() => gateway.close());

describe('a command that is not there, or not whole, is answered with its usage:', () => {
  it.each([
    ['', /^Usage: filequery /],
    ['dance', /^error: unknown command 'dance'$/],
    ['help dance', /^error: unknown command 'dance'$/],
    ['help key dance', /^error: unknown command 'key dance'$/],
    ['customer', /^Usage: filequery customer /],
    ['customer create', /^error: required option '--name <name>' not specified$/],
    ['customer create --name x --credits 5 --unmetered', /^error: .*cannot be used with/],
    ['key create', /^error: missing required argument 'customer'$/],
    ['credits grant ACME', /^error: missing required argument 'amount'$/],
    ['token create ACME', /^error: required option '--dataset <id>' not specified$/],
    ['sweep everything', /^error: too many arguments for 'sweep'/],
    ['customer list --jsn', /^error: unknown option '--jsn'$/],
  ])('filequery %s', async (command, line) => {
    const { code, stdout, stderr } = await filequery.run(...command.split(' ').filter(Boolean));
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.split('\n')[0]).toMatch(line);
    expect(stderr).toContain('Usage: filequery');
  });
});

describe('a command that cannot be done is answered with one line:', () => {
  it.each([
    [
      'customer create --name x --credits much',
      'credits must be a decimal number such as 100 or 0.5, with at most twelve digits and six decimals',
    ],
    ['key create Nobody', 'there is no customer Nobody'],
    ['key list Twin', 'several customers are called Twin: name one by its id'],
    ['key revoke fq_nothing', 'there is no key fq_nothing'],
    [`key revoke fq_${'x'.repeat(43)}`, 'there is no key fq_xxxxxxxx...'],
    [
      'credits grant ACME 0.0000001',
      'credits must be a decimal number such as 100 or 0.5, with at most twelve digits and six decimals',
    ],
    [
      'credits grant Free 1',
      expect.stringMatching(/^[0-9a-f-]{36} is unmetered: there is nothing to grant$/),
    ],
    ['token create ACME --dataset docs --ttl 86401', '--ttl: must be between 1 and 86400'],
    ['token create ACME --dataset docs --ttl soon', '--ttl: must be a whole number of seconds'],
    ['token create ACME --dataset docs --ttl 0x10', '--ttl: must be a whole number of seconds'],
    ['token create ACME --dataset ..', '--dataset: must not be . or ..'],
    ['token create ACME --dataset docs --filters [', '--filters: must be JSON'],
    [
      'token create ACME --dataset docs --permissions read,sing',
      '--permissions: must be a list of at least one of READ, ASK, UPLOAD and DELETE',
    ],
    [
      'token create ACME --dataset docs --max-credits much',
      '--max-credits: must be a decimal number such as 100 or 0.5, with at most twelve digits and six decimals',
    ],
  ])('filequery %s', async (command, line) => {
    const { code, stdout, stderr } = await filequery.run(...command.split(' '));
    expect({ code, stdout, lines: stderr.split('\n') }).toEqual({
      code: 1,
      stdout: '',
      lines: [line, ''],
    });
  });

  it('a wrong setting', async () => {
    const { code, stderr } = await createFilequery(gateway.dataDir, { PORT: 'abc' }).run('doctor');
    expect([code, stderr]).toEqual([1, 'PORT: must be a whole number from 0 to 65535\n']);
  });
});

describe('with --json, a failure is exactly one line of JSON on standard output:', () => {
  it.each([
    ['', 'a command is missing; see filequery --help'],
    ['dance', "unknown command 'dance'"],
    ['customer', 'a command is missing; see filequery --help'],
    ['customer create', "required option '--name <name>' not specified"],
    ['customer list --frobnicate', "unknown option '--frobnicate'"],
    ['key create Nobody', 'there is no customer Nobody'],
    ['token create ACME --dataset docs --ttl 0', '--ttl: must be between 1 and 86400'],
  ])('filequery %s --json', async (command, error) => {
    const words = command.split(' ').filter(Boolean);
    const { code, stdout, stderr } = await filequery.run(...words, '--json');
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: `${JSON.stringify({ error })}\n`,
      stderr: '',
    });
  });

  it.each(['doctor', 'serve'])('filequery %s --json with a wrong setting', async (command) => {
    const wrong = createFilequery(gateway.dataDir, { PORT: 'abc' });
    expect(await wrong.run(command, '--json')).toEqual({
      code: 1,
      stdout: '{"error":"PORT: must be a whole number from 0 to 65535"}\n',
      stderr: '',
    });
  });
});

it('a secret whose file cannot be read is answered with one line', async () => {
  const settings = { ...gateway.settings, OPENAI_API_KEY_FILE: '/nowhere/key' };
  expect(await createFilequery(gateway.dataDir, settings).run('customer', 'list')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'OPENAI_API_KEY_FILE: /nowhere/key cannot be read (ENOENT)\n',
  });
});

describe('a file .env', () => {
  it.each<[string, (file: string) => Promise<void>, string]>([
    ['that cannot be read', (file) => symlink('.env', file), '.env: must be a readable file'],
    [
      'that begins with a byte order mark',
      (file) => writeFile(file, '\ufeffPORT=abc\r\n'),
      'PORT: must be a whole number from 0 to 65535',
    ],
  ])('%s is not passed over', async (_, write, line) => {
    const folder = await mkdtemp(join(tmpdir(), 'filequery-test-'));
    await write(join(folder, '.env'));
    const args = [resolve('src/cli/main.ts'), 'customer', 'list'];
    const settings = { DATA_DIR: 'memory:' };
    const { ended } = runIn(folder, process.execPath, args, settings);
    expect(await ended).toMatchObject({ code: 1, stdout: '', stderr: `${line}\n` });
    await rm(folder, { recursive: true });
  });
});

describe('Node.js that is too old is answered with one line', () => {
  it.each(['src/main.ts', 'src/cli/main.ts'])('by %s', async (program) => {
    const old = "Object.defineProperty(process, 'versions', { value: { node: '22.21.1' } })";
    const args = ['--import', `data:text/javascript,${encodeURIComponent(old)}`, program];
    const ending = promisify(execFile)(process.execPath, args, { env: { DATA_DIR: 'memory:' } });
    await expect(ending).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'filequery needs Node.js 24 or later; this is Node.js 22.21.1\n',
    });
  });

  it('before anything is loaded that needs a newer one', async () => {
    for (const program of ['src/main.ts', 'src/cli/main.ts']) {
      const imports = (await readFile(program, 'utf8')).match(/^import .*$/gm);
      expect(imports).toEqual([expect.stringContaining('require-node.ts')]);
    }
    expect(await readFile('src/config/require-node.ts', 'utf8')).not.toMatch(/^import /m);
  });
});

it('doctor names the part that fails, ends with 1, and tells no secret', async () => {
  const secrets = {
    TOKEN_SECRET: 'hidden-token-secret-0123456789abcdef',
    OPENAI_API_KEY: 'hidden-openai-key',
  };
  const broken = { OPENAI_BASE_URL: 'http://127.0.0.1:1', MODEL_TIMEOUT: '1', ...secrets };
  const sick = createFilequery(gateway.dataDir, { ...gateway.settings, ...broken });
  for (const args of [['doctor'], ['doctor', '--json']]) {
    const { code, stdout, stderr } = await sick.run(...args);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(
      args.length === 1 ? /^embeddings FAILS: .+$/m : /"failing":\{.*"embeddings":/,
    );
    expect(stdout).toContain('set, not shown');
    expect(stdout).not.toContain('hidden');
  }
});

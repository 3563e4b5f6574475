import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { openDatabase } from '../../src/adapters/postgres/database.ts';
import { ask } from '../support/databases.ts';
import { createFilequery, type Filequery } from '../support/filequery.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';
import { newDataFolder, run, runIn } from '../support/process.ts';

/* Every command, for people and for programs. */

const { version } = packageJson;

describe('beside a running gateway', () => {
  let gateway: TestGateway;
  let filequery: Filequery;
  let customerId: string;

  beforeAll(async () => {
    gateway = await startGateway();
    filequery = createFilequery(gateway.dataDir, gateway.settings);
    const made = await filequery.json('customer', 'create', '--name', 'ACME', '--credits', '12.5');
    expect(made).toEqual({
      customerId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      apiKey: expect.stringMatching(/^fq_[\w-]{43}$/),
    });
    customerId = made.customerId;
  });
  afterAll(() => gateway.close());

  it('customer create, for people, of one who is not metered', async () => {
    expect(await filequery.told('customer', 'create', '--name', 'Free', '--unmetered')).toMatch(
      /^customer [0-9a-f-]{36}\nAPI key {2}fq_[\w-]{43}\n$/,
    );
  });

  it('customer list, without the control characters of names', async () => {
    const { customerId: id } = await gateway.admin.createCustomer({
      name: 'Red\x1b[31m\u202eline\n',
      credits: null,
    });
    expect(await filequery.told('customer', 'list')).toMatch(/ Red\?\[31m\?line /);
    await ask(gateway.connection, `DELETE FROM customer WHERE id = '${id}'`);
  });

  it('customer list', async () => {
    const customers = await filequery.json('customer', 'list');
    expect(customers).toMatchObject([
      { customerId, name: 'ACME', credits: '12.5', datasets: 0 },
      { name: 'Free', credits: null },
    ]);
    const [head, first, second] = (await filequery.told('customer', 'list')).split('\n');
    expect(head).toMatch(/^customerId +name +credits +datasets +created$/);
    expect(first).toMatch(new RegExp(`^${customerId} +ACME +12\\.5 +0 +\\d{4}-`));
    expect(second).toMatch(/Free +- +0 /);
  });

  it('key create, list and revoke', async () => {
    const made = await filequery.json('key', 'create', customerId);
    expect(made).toEqual({
      keyId: expect.any(String),
      prefix: made.apiKey.slice(0, 11),
      apiKey: expect.stringMatching(/^fq_/),
    });
    const revoked = await filequery.told('key', 'revoke', made.prefix);
    expect(revoked).toBe(`${made.prefix} is revoked; gateways notice within 30 seconds.\n`);
    const keys = await filequery.json('key', 'list', 'ACME');
    expect(keys).toMatchObject([
      { revoked: null },
      { keyId: made.keyId, revoked: expect.any(String) },
    ]);
    const shown = await filequery.told('key', 'list', 'ACME');
    expect(shown).toContain(made.prefix);
    expect(shown).not.toContain(made.apiKey);
  });

  it('key revoke, by the whole key', async () => {
    const { keyId, apiKey } = await filequery.json('key', 'create', customerId);
    expect(await filequery.json('key', 'revoke', apiKey)).toMatchObject({ keyId });
  });

  it('credits show and grant', async () => {
    expect(await filequery.json('credits', 'grant', 'ACME', '0.25')).toEqual({
      customerId,
      credits: '12.75',
    });
    expect(await filequery.told('credits', 'grant', 'ACME', '1')).toBe('13.75 credits\n');
    expect(await filequery.json('credits', 'show', 'ACME')).toMatchObject({
      customerId,
      credits: '13.75',
      entries: [
        { amount: '1', reason: 'grant' },
        { amount: '0.25', reason: 'grant' },
        { amount: '12.5', reason: 'grant' },
      ],
    });
    expect(await filequery.told('credits', 'show', 'Free')).toBe(
      'unmetered\nNothing was booked yet.\n',
    );
  });

  it('token create', async () => {
    const { token, expiresIn } = await filequery.json(
      'token',
      'create',
      'ACME',
      '--dataset',
      'a b',
    );
    expect(expiresIn).toBe(3600);
    expect(claimsOf(token)).toMatchObject({ customerId, datasetId: 'a b' });
    const told = await filequery.told(
      'token',
      'create',
      'ACME',
      '--dataset',
      'docs',
      '--ttl',
      '60',
      '--permissions',
      'read, ask',
      '--filters',
      JSON.stringify([{ key: 'team', match: { value: 'a' } }]),
    );
    const { iat, exp, permissions, filters } = claimsOf(told.trim());
    expect(exp - iat).toBe(60);
    expect(permissions).toEqual(['READ', 'ASK']);
    expect(filters).toEqual([{ key: 'team', match: { value: 'a' } }]);
  });

  it('token create with a budget, and revoke', async () => {
    const made = ['token', 'create', 'ACME', '--dataset', 'docs', '--max-credits', '2.5'];
    const { token, tokenId } = await filequery.json(...made);
    expect(claimsOf(token)).toMatchObject({ maxCredits: '2.5', jti: tokenId });
    expect(await filequery.told('token', 'revoke', 'ACME', tokenId)).toBe(
      `${tokenId} is revoked; gateways notice within 30 seconds.\n`,
    );
    expect(await filequery.json('token', 'revoke', 'ACME', tokenId)).toEqual({ tokenId });
  });

  it('--version', async () => {
    expect(await filequery.told('--version')).toBe(`${version}\n`);
    expect(await filequery.json('--version')).toEqual({ version });
  });

  it('help', async () => {
    const help = await filequery.told('help', 'key', 'revoke');
    expect(help).toMatch(/^Usage: filequery key revoke /);
    expect(help).toBe(await filequery.told('key', 'revoke', '--help'));
    expect(await filequery.told('help')).toBe(await filequery.told('--help'));
  });

  it('sweep', async () => {
    expect(await filequery.told('sweep')).toBe('0 removed, 0 to try again later\n');
    await ask(
      gateway.connection,
      `INSERT INTO pending_file (customer_key, loader_key, path, due)
       VALUES (1, 1, 'customers/gone', now()), (1, 2, 'customers/running', now() + '1 hour')`,
    );
    expect(await filequery.json('sweep')).toEqual({ removed: 1, failed: 0 });
  });

  it('reindex, of what is up to date', async () => {
    expect(await filequery.told('reindex')).toBe('0 chunks of 0 datasets\n');
  });

  it('doctor', async () => {
    const told = await filequery.told('doctor');
    const { node } = process.versions;
    expect(told.split('\n')[0]).toBe(`filequery ${version}, Node.js ${node}`);
    expect(told).toMatch(/^setting +value +purpose$/m);
    expect(told).toContain(gateway.dataDir);
    expect(told).toMatch(/\nopen intents: \d+ files, 0 charges/);
    expect(told).toMatch(/\ndatabase: (embedded|server)\nstorage: (disk|supabase)\n/);
    expect(told).toMatch(/\nEverything answers\.\n$/);
    expect(await filequery.json('doctor')).toMatchObject({
      versions: { filequery: version, node },
      settings: expect.arrayContaining([
        { setting: 'DATA_DIR', value: gateway.dataDir, purpose: expect.any(String) },
      ]),
      failing: {},
    });
  });

  describe('piped into a program', () => {
    beforeAll(async () => {
      // More than the buffer of a pipe has room for.
      await gateway.admin.createCustomer({ name: 'x'.repeat(100_000), credits: null });
    });

    it.each([
      ['that reads only the beginning', '| head -c 10', 'customerId'],
      ['that reads nothing', '| true', ''],
    ])('%s, ends quietly', async (_, pipe, stdout) => {
      expect(await inShell(pipe)).toEqual({ stdout, stderr: '141\n' });
    });

    it.runIf(process.platform === 'linux')('or written to a full disk', async () => {
      const reason = 'ENOSPC: no space left on device, write';
      expect(await inShell('>/dev/full')).toEqual({
        stdout: '',
        stderr: `standard output: ${reason}\n1\n`,
      });
    });

    /** The output of `customer list`, and after it on standard error its exit code. */
    async function inShell(pipe: string): Promise<{ stdout: string; stderr: string }> {
      const script = `{ "$0" "$@"; echo $? >&2; } ${pipe}`;
      const command = [process.execPath, resolve('src/cli/main.ts'), 'customer', 'list'];
      const settings = { DATA_DIR: gateway.dataDir, ...gateway.settings };
      const cwd = import.meta.dirname;
      const { stdout, stderr } = await runIn(cwd, 'sh', ['-c', script, ...command], settings).ended;
      return { stdout, stderr };
    }
  });
});

it('lists more customers than a call has arguments', async () => {
  const gateway = await startGateway();
  await ask(
    gateway.connection,
    `INSERT INTO customer (id, name) SELECT at, 'one of many' FROM generate_series(1, 130000) AS at`,
  );
  const listed = await createFilequery(gateway.dataDir, gateway.settings).told('customer', 'list');
  expect(listed.match(/one of many/g)).toHaveLength(130_000);
  await gateway.close();
});

it('works alone on a data folder, as a process of its own, and leaves it free', async () => {
  const { dataDir, remove } = await newDataFolder();
  const args = ['customer', 'create', '--name', 'ACME', '--json'];
  const { code, stdout, stderr } = await run('src/cli/main.ts', args, { DATA_DIR: dataDir }).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { customerId } = JSON.parse(stdout);
  const { prisma, close } = await openDatabase({ kind: 'embedded', dataDir, share: false });
  expect(await prisma.customer.findMany()).toMatchObject([{ id: customerId, name: 'ACME' }]);
  await close();
  await remove();
});

function claimsOf(token: string): {
  iat: number;
  exp: number;
  permissions?: string[];
  filters?: object[];
} {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

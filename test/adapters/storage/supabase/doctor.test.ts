import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { doctor } from '../../../../src/cli/doctor.ts';
import { readConfig } from '../../../../src/config/config.ts';
import { createLog } from '../../../../src/runtime/log.ts';
import { createOperator } from '../../../../src/runtime/operator.ts';
import { createClient } from '../../../support/client.ts';
import { startGateway, type TestGateway } from '../../../support/gateway.ts';
import { newDataFolder, run } from '../../../support/process.ts';
import { keyOf } from '../../../support/supabase/keys.ts';
import { type SupabaseDouble, startSupabaseDouble } from '../../../support/supabase-double.ts';

/* What the operator is told of a Supabase that is set up wrong. The adapter's own tests have every case. */

let gateway: TestGateway;
let double: SupabaseDouble;
/** An address where nobody answers any more. */
let awayUrl: string;

beforeAll(async () => {
  double = await startSupabaseDouble();
  double.roles['worker'] = ['insert', 'select', 'delete'];
  const away = await startSupabaseDouble();
  awayUrl = away.url;
  await away.close();
  gateway = await startGateway();
});
afterAll(async () => {
  await gateway.close();
  await double.close();
});

const project = (secretKey: string, url = double.url) => ({
  SUPABASE_URL: url,
  SUPABASE_SECRET_KEY: secretKey,
});

describe('filequery doctor', () => {
  it.each<[what: string, settings: () => Promise<Record<string, string>>, line: RegExp]>([
    [
      'a wrong key',
      async () => project('hidden-key'),
      /^storage FAILS: SUPABASE_SECRET_KEY: may not write, .*; take the secret \(service_role\) key of the project$/m,
    ],
    [
      'a publishable key',
      async () => project(await keyOf(double.secret, 'anon')),
      /^start FAILS: SUPABASE_SECRET_KEY: is a publishable \(anon\) key; take the project's secret .* key$/m,
    ],
    [
      'a bucket that is not there and may not be made',
      async () => project(await keyOf(double.secret, 'worker')),
      /^storage FAILS: SUPABASE_BUCKET: the key sees no filequery and may not make it; make it, private, or /m,
    ],
    [
      'a wrong address',
      async () => project(double.secretKey, `${double.url}/dashboard`),
      /^storage FAILS: SUPABASE_URL: \S+ is no Supabase Storage; take the address of the project$/m,
    ],
    [
      'a server that is away',
      async () => project(double.secretKey, awayUrl),
      /^storage FAILS: SUPABASE_URL: \S+ does not answer now \(ECONNREFUSED, .*\); see that /m,
    ],
  ])('names %s and the cure, and tells no key', async (_, settings, line) => {
    const config = readConfig({ ...gateway.settings, ...(await settings()) });
    const operator = createOperator(config, createLog('silent'));
    const { text: told, failed } = await doctor(operator, config);
    await operator.close();
    expect(failed).toBe(true);
    expect(told).toMatch(line);
    expect(told.match(/SUPABASE_\w+: /g)).toHaveLength(1);
    expect(told).not.toMatch(/hidden-key|eyJ/);
  });
});

describe('a start', () => {
  it('with a wrong key ends with one line and 1', async () => {
    const folder = await newDataFolder();
    const settings = { DATA_DIR: folder.dataDir, PORT: '0', ...project('hidden-key') };
    const { code, stdout, stderr } = await run('src/main.ts', [], settings).ended;
    await folder.remove();
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^SUPABASE_SECRET_KEY: may not write, .*\n$/);
    expect(stderr).not.toContain('hidden-key');
  });

  it('while the server is away goes on: it is not ready, and tells nobody where it looked', async () => {
    const waiting = await startGateway(project(double.secretKey, awayUrl));
    const { status, body } = await createClient(waiting).rest('GET', '/../ready');
    await waiting.close();
    expect(status).toBe(503);
    expect(body).toEqual({ status: 'not ready', failing: ['storage'] });
  });
});

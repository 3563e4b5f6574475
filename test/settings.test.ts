import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Config, describeSettings, readConfig } from '../src/config/config.ts';
import { ConfigurationError } from '../src/core/errors.ts';

const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://localhost:4318/';

test('traces go where the variables of OpenTelemetry say', () => {
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT,
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%3Db, team = files',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  };
  expect(readConfig(settings).traces).toEqual({
    endpoint: 'http://localhost:4318',
    headers: { 'api-key': 'a=b', team: 'files' },
    serviceName: 'filequery',
    share: 0.25,
  });
  expect(readConfig({}).traces).toBeUndefined();
});

test.each([
  ['METRICS_TOKEN', 'too-short'],
  ['METRICS_TOKEN', 'pässwort-0123456789'],
  ['METRICS_TOKEN', 'ends with a space '],
  ['OPENAI_API_KEY', 'sk-1\nsk-2'],
  ['OPENAI_API_KEY', 'sk-1—a'],
  ['OCR_API_KEY', 'sk-1\tsk-2'],
  ['WEBHOOK_URL', 'localhost:8080'],
  ['WEBHOOK_URL', 'http://user:secret@localhost:8080/hook'],
  ['OPENAI_BASE_URL', 'http://user:secret@localhost:8080/v1'],
  ['OCR_BASE_URL', 'http://user@localhost:8080/v1'],
  ['WEBHOOK_SECRET', 'whsec_dG9vIHNob3J0'],
  ['WEBHOOK_SECRET', 'a secret without its prefix'],
  ['INGESTIONS_AT_ONCE', '0'],
  ['DATABASE_POLL_INTERVAL', '0.5'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318'],
  ['REDIS_URL', 'http://cache'],
  ['REDIS_URL', 'redis://:secret@cache:70000'],
  ['REDIS_URL', 'redis://:sec/ret@cache'],
  ['REDIS_URL', 'redis://:sec%ret@cache'],
  ['REDIS_URL', 'redis://cache/limits'],
  ['REDIS_URL', 'redis://cache/1/2'],
  ['REDIS_URL', 'redis://cache?db=limits'],
  ['REDIS_URL', 'redis://cache?family=ipv6'],
  ['REDIS_URL', 'redis://cache?connectTimeout=abc'],
  ['UPLOAD_URLS', 'yes'],
  ['UPLOAD_URLS_ALLOWED', 'files.test:8080'],
  ['UPLOAD_URLS_ALLOWED', '10.0.0.0/33'],
  ['UPLOAD_URLS_ALLOWED', 'https://files.test'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'api-key'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'api-key=%zz'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'api-key=%ff'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'api-key=%e2%82%ac'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'api key=1'],
  ['OTEL_EXPORTER_OTLP_HEADERS', '=1'],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
])('%s: %s stops the start with a line that names it', (name, value) => {
  expect(() => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, [name]: value })).toThrow(`${name}: must`);
});

test.each([
  'redis://cache',
  'rediss://user:p%40ss@cache.test:6380/',
  'redis://:secret@[::1]:6379/15',
  'redis://cache?db=2&family=6',
])('REDIS_URL may be %s', (url) => {
  expect(readConfig({ REDIS_URL: url }).rateLimits).toEqual({ kind: 'redis', url });
});

test('a key may have a line break at its end, as some secrets have', () => {
  expect(readConfig({ OPENAI_API_KEY: 'sk-1\n' })).toEqual(readConfig({ OPENAI_API_KEY: 'sk-1' }));
});

test('what may be fetched by URL', () => {
  const allowed = 'Files.Test, 10.1.0.0/16,fd00::/8';
  expect(readConfig({ UPLOAD_URLS_ALLOWED: allowed }).fetching?.allowed).toEqual({
    hosts: ['files.test'],
    networks: [
      { address: '10.1.0.0', prefix: 16 },
      { address: 'fd00::', prefix: 8 },
    ],
  });
  expect(readConfig({}).fetching?.allowed).toEqual({ hosts: [], networks: [] });
  expect(readConfig({ UPLOAD_URLS: 'false' }).fetching).toBeUndefined();
});

test('a webhook has a secret', () => {
  const url = 'http://127.0.0.1:8080/hook';
  const secret = `whsec_${Buffer.alloc(24).toString('base64')}`;
  const { webhook } = readConfig({ WEBHOOK_URL: url, WEBHOOK_SECRET: secret });
  expect(webhook).toEqual({ url, secret });
  expect(() => readConfig({ WEBHOOK_URL: url })).toThrow('WEBHOOK_SECRET: must be set');
});

test.each(['MIGRATION_DATABASE_URL', 'DATABASE_READ_URL'])(
  '%s is refused without DATABASE_URL',
  (name) => {
    const settings = { [name]: 'postgres://a:b@db/c' };
    expect(() => readConfig(settings)).toThrow(
      new ConfigurationError(`${name}: needs DATABASE_URL`),
    );
  },
);

describe('a secret in a file', () => {
  let folder: string;
  const TOKEN_SECRET = 'hidden-token-secret-0123456789abcdef';
  const keep = async (name: string, content: string) => {
    const path = join(folder, name);
    await writeFile(path, content);
    return path;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'filequery-test-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test.each([
    ['TOKEN_SECRET', TOKEN_SECRET, ({ tokenSecret }: Config) => tokenSecret],
    ['DATABASE_URL', 'postgres://a:b@db/c', ({ database }: Config) => database],
    ['MIGRATION_DATABASE_URL', 'postgres://a:b@db/d', ({ database }: Config) => database],
    ['REDIS_URL', 'redis://:secret@cache', ({ rateLimits }: Config) => rateLimits],
    ['SUPABASE_SECRET_KEY', 'sb_secret_1', ({ storage }: Config) => storage],
    ['OPENAI_API_KEY', 'sk-1', ({ models }: Config) => models],
    ['METRICS_TOKEN', 'metrics-token-0123456789', ({ metricsToken }: Config) => metricsToken],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'api-key=1', ({ traces }: Config) => traces],
  ])('%s is read as if it were the variable', async (name, secret, part) => {
    const others = {
      ...(name === 'MIGRATION_DATABASE_URL' && { DATABASE_URL: 'postgres://a:b@db/c' }),
      ...(name.endsWith('DATABASE_URL') && { TOKEN_SECRET }),
      ...(name === 'SUPABASE_SECRET_KEY' && { SUPABASE_URL: 'https://abc.supabase.co' }),
      OTEL_EXPORTER_OTLP_ENDPOINT,
    };
    const settings = { ...others, [`${name}_FILE`]: await keep(name, `\n${secret}\r\n`) };
    expect(JSON.stringify(part(readConfig(settings)))).toContain(
      secret.replace('api-key=1', '"1"'),
    );
    expect(readConfig(settings)).toEqual(readConfig({ ...others, [name]: secret }));
    const described = describeSettings(settings).find(({ setting }) => setting === name);
    expect(described?.value).toBe('set, not shown');
  });

  test('is refused when it is given twice, cannot be read, or is empty', async () => {
    const path = await keep('secret', TOKEN_SECRET);
    expect(() => readConfig({ TOKEN_SECRET, TOKEN_SECRET_FILE: path })).toThrow(
      new ConfigurationError('TOKEN_SECRET_FILE: must not be set together with TOKEN_SECRET'),
    );
    expect(() => readConfig({ TOKEN_SECRET_FILE: `${path}-2` })).toThrow(
      new ConfigurationError(`TOKEN_SECRET_FILE: ${path}-2 cannot be read (ENOENT)`),
    );
    expect(() => readConfig({ TOKEN_SECRET_FILE: folder })).toThrow(
      new ConfigurationError(`TOKEN_SECRET_FILE: ${folder} cannot be read (EISDIR)`),
    );
    const blank = await keep('blank', ' \n');
    expect(() => readConfig({ TOKEN_SECRET_FILE: blank })).toThrow(
      new ConfigurationError(`TOKEN_SECRET_FILE: ${blank} is empty`),
    );
    const short = await keep('short', 'hidden');
    expect(() => readConfig({ TOKEN_SECRET_FILE: short })).toThrow(
      new ConfigurationError('TOKEN_SECRET: must be at least 32 characters long'),
    );
  });

  test('counts as not given when its variable is empty', () => {
    expect(readConfig({ TOKEN_SECRET, TOKEN_SECRET_FILE: '' }).tokenSecret).toBe(TOKEN_SECRET);
  });

  test('belongs to secrets only', async () => {
    expect(readConfig({ PORT_FILE: await keep('port', '1') }).port).toBe(4000);
  });
});

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { describeSettings, readConfig } from '../src/config/config.ts';

test('the README has every setting, its default and its purpose', async () => {
  const readme = await readFile('README.md', 'utf8');
  const table = readme.match(/^\| `[A-Z_]+` \|.*$/gm);
  const rows = describeSettings({}).map(({ setting, value, purpose }) => {
    const preset = value === 'not set' ? '' : `\`${value}\``;
    return `| \`${setting}\` | ${preset} | ${purpose} |`;
  });
  expect(table).toEqual(rows);
});

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
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4318'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'api-key'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'api-key=%zz'],
  ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
])('%s: %s stops the start with a line that names it', (name, value) => {
  expect(() => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT, [name]: value })).toThrow(`${name}: must`);
});

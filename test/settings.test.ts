import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { describeSettings } from '../src/config/config.ts';

test('the README has every setting, its default and its purpose', async () => {
  const readme = await readFile('README.md', 'utf8');
  const table = readme.match(/^\| `[A-Z_]+` \|.*$/gm);
  const rows = describeSettings({}).map(({ setting, value, purpose }) => {
    const preset = value === 'not set' ? '' : `\`${value}\``;
    return `| \`${setting}\` | ${preset} | ${purpose} |`;
  });
  expect(table).toEqual(rows);
});

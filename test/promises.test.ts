import { access, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

/* What docs/promises.md names is there. */

test('every file and every command that docs/promises.md names is there', async () => {
  const page = await readFile('docs/promises.md', 'utf8');
  const links = [...page.matchAll(/\]\(\.\.\/([^)#]+)(?:#[^)]*)?\)/g)].map(([, path = '']) => path);
  expect(links.length).toBeGreaterThan(30);
  for (const path of new Set(links)) await access(path);

  const { scripts } = JSON.parse(await readFile('package.json', 'utf8'));
  const commands = [...page.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(commands));
});

test('every row has a promise, tests and how far they go', async () => {
  const page = await readFile('docs/promises.md', 'utf8');
  const rows = page.match(/^\| (?!promise).*$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(30);
  for (const row of rows) expect(row).toMatch(/^\| [^|]+\. \| \[test\/[^|]+ \| [^|]+ \|$/);
});

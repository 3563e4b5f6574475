import { access, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

/* What the pages of the repository name is there. */

test('every file and every command that a page names is there', async () => {
  const pages = (await readdir('docs')).map((name) => join('docs', name));
  const top = (await readdir('.')).filter((name) => name.endsWith('.md'));
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8'));
  const missing: string[] = [];
  for (const path of [...top, ...pages]) {
    const page = await readFile(path, 'utf8');
    for (const [, link = ''] of page.matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)) {
      await access(join(dirname(path), link)).catch(() => missing.push(`${path}: ${link}`));
    }
    for (const [, file = ''] of page.matchAll(/`((?:src|test|prisma|schema)\/[\w./-]+)`/g)) {
      await access(file).catch(() => missing.push(`${path}: ${file}`));
    }
    for (const [, script = ''] of page.matchAll(/npm run (?:-s )?([\w:]+)/g)) {
      if (!(script in scripts)) missing.push(`${path}: npm run ${script}`);
    }
  }
  expect(missing).toEqual([]);
});

test('every promise has tests, and how far they go', async () => {
  const page = await readFile('docs/promises.md', 'utf8');
  const rows = page.match(/^\| (?!guarantee).*$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(30);
  for (const row of rows) expect(row).toMatch(/^\| [^|]+\. \| \[test\/[^|]+ \| [^|]+ \|$/);
});

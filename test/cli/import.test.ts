import {
  cp,
  glob,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createHasher } from '../../src/cli/import/create-hasher.ts';
import { importFiles } from '../../src/cli/import/import-files.ts';
import { readRemote } from '../../src/cli/remote/remote.ts';
import { createClient } from '../support/client.ts';
import { createFilequery } from '../support/filequery.ts';
import { type ListeningGateway, startListening } from '../support/listening.ts';
import { run } from '../support/process.ts';

/* `filequery import` and the commands that read what it brought, against a gateway that listens. */

let gateway: ListeningGateway;
let settings: { FILEQUERY_URL: string; FILEQUERY_API_KEY: string };
let client: ReturnType<typeof createClient>;
let folder: string;

beforeAll(async () => {
  gateway = await startListening();
  const { apiKey } = await gateway.app.admin.createCustomer({ name: 'test', credits: '1000' });
  settings = { FILEQUERY_URL: gateway.publicUrl, FILEQUERY_API_KEY: apiKey };
  client = createClient(gateway, apiKey);
  folder = await mkdtemp(join(tmpdir(), 'filequery-test-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await gateway.stop();
});

function filequery(...args: string[]) {
  return createFilequery('/nowhere', settings).run(...args);
}

async function json(...args: string[]) {
  const { code, stdout } = await filequery(...args, '--json');
  expect(stdout.split('\n')).toEqual([expect.any(String), '']);
  return { code, ...JSON.parse(stdout) };
}

async function newFolder(name: string, files: Record<string, string>): Promise<string> {
  const path = join(folder, name);
  for (const [file, text] of Object.entries(files)) {
    await mkdir(join(path, file, '..'), { recursive: true });
    await writeFile(join(path, file), text);
  }
  return path;
}

async function pathsIn(dataset: string, caller = client): Promise<unknown[]> {
  const { body } = await caller.rest('GET', `/files?datasetId=${dataset}`);
  return body.files.map((file: { extraMeta: { path: string } }) => file.extraMeta.path).sort();
}

/** The names and the metadata of the files of a dataset. */
async function aboutIn(datasetId: string): Promise<string[]> {
  const { body } = await client.rest('GET', `/files?datasetId=${datasetId}`);
  return body.files
    .map(({ originalName, extraMeta }: Record<string, unknown>) =>
      JSON.stringify([originalName, extraMeta]),
    )
    .sort();
}

describe('a folder of 60 mixed files', () => {
  let mixed: string;

  beforeAll(async () => {
    mixed = join(folder, 'mixed');
    await cp('test/fixtures/encodings', join(mixed, 'encodings'), { recursive: true });
    for (const name of await readdir('test/fixtures/documents')) {
      // The others take long to read.
      if (!/\.(txt|md|csv|tsv|jsonl?|html|srt|vtt|ts|py|go|rtf)$/.test(name)) continue;
      await cp(join('test/fixtures/documents', name), join(mixed, 'a b', name));
    }
    await newFolder('mixed', {
      'broken.pdf': '%PDF-1.7 and nothing else',
      'data.bin': '\0\x01\x02\x03\0\0\xff',
      'empty.txt': '',
      'twin.md': await readFile('test/fixtures/documents/user-guide.md', 'utf8'),
      '.hidden/secret.txt': 'Hidden.',
      'node_modules/some/readme.md': 'Left out.',
    });
    const there = (await readdir(mixed, { recursive: true, withFileTypes: true })).filter(
      (entry) => entry.isFile() && !/node_modules|hidden/.test(relative(mixed, entry.parentPath)),
    );
    for (let n = there.length; n < 60; n++) {
      await writeFile(join(mixed, `note ${n}.txt`), `The number of this note is ${n}.`);
    }
  });

  it('is imported, and what cannot be read is told of and counted', async () => {
    const { code, stdout, stderr } = await filequery('import', mixed, '--dataset', 'mixed');
    expect(stderr).toMatch(/^broken\.pdf: /m);
    expect(stderr).toMatch(/^data\.bin: /m);
    expect(stderr).toMatch(/^empty\.txt: /m);
    expect(stdout).toMatch(/^56 imported \([\d.]+ kB\), 1 already there, 3 failed\n$/);
    expect(code).toBe(1);
    expect(await pathsIn('mixed')).toHaveLength(56);
    // Files come together: this many uploads in a minute would be too many.
    const { headers } = await client.upload('other', { 'other.txt': 'Other.' });
    expect(Number(headers.get('x-ratelimit-remaining'))).toBeGreaterThan(85);
  });

  it('is skipped when it comes again, without another credit', async () => {
    const again = await json('import', mixed, '--dataset', 'mixed');
    expect(again).toMatchObject({ code: 1, imported: 0, skipped: 57, failed: 3, removed: 0 });
    const [customer] = await gateway.app.admin
      .listCustomers()
      .then((all) => all.filter(({ name }) => name === 'test'));
    expect(customer?.credits).toBe('943');
  });

  it('is listed, searched and asked', async () => {
    const { code, stdout } = await filequery('files', '--dataset', 'mixed');
    expect(code).toBe(0);
    expect(stdout).toContain('a b/cities.csv');
    expect(stdout.trim().split('\n')).toHaveLength(57);
    const found = await filequery(
      'search',
      'note number 59',
      '--dataset',
      'mixed',
      '--mode',
      'keyword',
      '--limit',
      '1',
    );
    expect(found.stdout).toMatch(
      /^\d\.\d{3} {2}note 59\.txt.*\nThe number of this note is 59\.\n$/,
    );
    const question = 'What is the number of this note?';
    const asked = ['ask', question, '--dataset', 'mixed', '--filter', 'path=note 58.txt'];
    const answer = await filequery(...asked);
    expect(answer).toMatchObject({ code: 0, stderr: '' });
    expect(answer.stdout).toMatch(/ 58\."\n\n- note 58\.txt, line 1\n$/);
    const nowhere = await filequery('ask', question, '--dataset', 'nowhere');
    expect(nowhere.stdout).toMatch(/\n\nNothing was found in the dataset\.\n$/);
    const { result, sources, citations } = await json(...asked);
    expect(result).toContain('58');
    expect(sources).toMatchObject([
      { metadata: { originalName: 'note 58.txt', path: 'note 58.txt' } },
    ]);
    expect(citations[0]).toMatchObject({ supported: true });
  });
});

it('an imported JSON file is found by its path, which is not the place of a chunk in a file', async () => {
  const path = await newFolder('harbour', {
    'a/port.json': '{"port": {"tide": "The tide is high."}}',
    'a/port.txt': 'The tide is low.',
  });
  await json('import', path, '--dataset', 'harbour');
  const texts = { 'a/port.json': 'port.tide: The tide is high.', 'a/port.txt': 'The tide is low.' };
  for (const [file, text] of Object.entries(texts)) {
    const asked = ['search', 'tide', '--dataset', 'harbour', '--filter', `path=${file}`];
    expect((await filequery(...asked)).stdout).toContain(text);
  }
  const { data } = await client.graphql(
    '{ search(input: { datasetId: "harbour", question: "high tide" }) { location { path } } }',
  );
  expect(data.search).toEqual([{ location: { path: '$' } }, { location: { path: null } }]);
});

it('the signs that join letters are shown, and those that turn lines are not', async () => {
  const books = 'کتاب\u200cها';
  const text = `The books (${books}) are in the library.`;
  await client.upload('persian', { [`${books}\u202e.txt`]: text });
  for (const asked of [['files'], ['search', 'books'], ['ask', 'Where are the books?']]) {
    const { stdout } = await filequery(...asked, '--dataset', 'persian');
    expect(stdout).toContain(`${books}?.txt`);
    if (asked[0] !== 'files') expect(stdout).toContain(text);
  }
});

it('one refused file does not fail those that are sent with it', async () => {
  const path = await newFolder('refusing', {
    'a/README.md': 'The first.',
    'b/README.md': ' \n ',
    'c/README.md': 'The third.',
    'd/README.md': ' \t ',
    'e/data.bin': '\0\x01\x02\x03\0\0\xff',
    'f/data.bin': 'A plain text, whatever its name.',
    'g/empty.txt': '',
    'h/empty.md': '',
    'i/third.md': 'The third.',
    [`j/${'ü'.repeat(120)}.txt`]: 'A long name.',
    'k/a: "b" %22, c.txt': 'An odd name.',
    'l/x %22.txt': '',
    'm/x %22.txt': ' ',
  });
  const { code, stdout, stderr } = await filequery('import', path, '--dataset', 'refusing');
  expect(stderr.trim().split('\n').sort()).toEqual([
    'b/README.md: no text was found in it',
    'd/README.md: no text was found in it',
    expect.stringMatching(/^e\/data\.bin: (?!data)/),
    'g/empty.txt: it is empty',
    'h/empty.md: it is empty',
    'l/x %22.txt: it is empty',
    'm/x %22.txt: no text was found in it',
  ]);
  expect(stdout).toMatch(/^5 imported \(.*\), 1 already there, 7 failed\n$/);
  expect(code).toBe(1);
  const range = JSON.stringify({ must_not: [{ key: 'path', match: { any: ['a/README.md'] } }] });
  const some = await json('files', '--dataset', 'refusing', '--filters', range);
  expect(Object.keys(some)).toHaveLength(1 + 4);
});

describe('an export', () => {
  it('is continued after a cut, and imported again with names and metadata', async () => {
    const path = await newFolder('kept', { 'a.txt': 'A.', 'b/c.txt': 'C.' });
    await json('import', path, '--dataset', 'kept');
    const extra = { team: { name: 'ä' }, tags: ['x', 1] };
    const metadata = JSON.stringify({ 0: extra });
    await client.upload('kept', { 'odd:name?.txt': 'Odd.' }, { metadata });
    await client.upload('kept', { 'plain.txt': 'A.' });
    const target = join(folder, 'exported');
    const first = await json('export', target, '--dataset', 'kept');
    expect(first).toEqual({ code: 0, exported: 4, skipped: 0, failed: 0, bytes: 10 });
    const lines = await readFile(join(target, 'filequery-export.jsonl'), 'utf8');
    const records = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const odd = records.find(({ originalName }) => originalName === 'odd:name?.txt');
    expect(odd).toMatchObject({ extraMeta: extra, copy: `files/${odd.fileId}/odd_name_.txt` });
    expect(await readFile(join(target, odd.copy), 'utf8')).toBe('Odd.');
    await rm(join(target, odd.copy));
    const again = await json('export', target, '--dataset', 'kept');
    expect(again).toMatchObject({ code: 0, exported: 1, skipped: 3 });

    const restored = await json('import', target, '--dataset', 'restored');
    expect(restored).toMatchObject({ code: 0, imported: 4, skipped: 0, failed: 0 });
    const twice = await json('import', target, '--dataset', 'restored');
    expect(twice).toMatchObject({ imported: 0, skipped: 4 });
    expect(await aboutIn('restored')).toEqual(await aboutIn('kept'));
  });

  it('may have the line separators of Unicode in metadata', async () => {
    const metadata = JSON.stringify({ 0: { note: 'one\u2028two\u2029three' } });
    await client.upload('separated', { 'a.txt': 'A.' }, { metadata });
    const target = join(folder, 'separated');
    await json('export', target, '--dataset', 'separated');
    expect(await json('import', target, '--dataset', 'joined')).toMatchObject({ imported: 1 });
    expect(await aboutIn('joined')).toEqual(await aboutIn('separated'));
  });

  it('whose copy was damaged is told of by import, and repaired by export', async () => {
    const path = await newFolder('whole', { 'a.txt': 'A.', 'b.txt': 'B.' });
    await json('import', path, '--dataset', 'whole');
    const target = join(folder, 'damaged');
    await json('export', target, '--dataset', 'whole');
    const [copy = ''] = await Array.fromAsync(glob(join(target, 'files/*/a.txt')));
    await writeFile(copy, 'X.');
    const { code, stdout, stderr } = await filequery('import', target, '--dataset', 'repaired');
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: '1 imported (2 B), 0 already there, 1 failed\n',
    });
    expect(stderr).toMatch(/a\.txt: the copy has another hash than its record\n$/);
    const again = await json('export', target, '--dataset', 'whole');
    expect(again).toMatchObject({ code: 0, exported: 1, skipped: 1 });
    expect(await readFile(copy, 'utf8')).toBe('A.');
  });

  it('whose records cannot be read is refused in one line', async () => {
    const path = await newFolder('unread', { 'filequery-export.jsonl/a.txt': 'No records.' });
    const { code, stderr } = await filequery('import', path, '--dataset', 'unread');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^.*filequery-export\.jsonl: cannot be read: EISDIR[^\n]*\n$/);
  });

  it('that leads out of its folder is refused', async () => {
    const record = {
      copy: 'files/../../a.txt',
      originalName: 'a',
      contentHash: null,
      extraMeta: null,
    };
    const path = await newFolder('evil', { 'filequery-export.jsonl': JSON.stringify(record) });
    const { code, stderr } = await filequery('import', path, '--dataset', 'evil');
    expect(code).toBe(1);
    expect(stderr).toMatch(/filequery-export\.jsonl: line 1 is no record of an export\n$/);
  });

  it('with a link out of its folder does not bring in what the link leads to', async () => {
    const secret = join(await newFolder('private', { 'secret.txt': 'A secret.' }), 'secret.txt');
    const record = { originalName: 'a.txt', contentHash: null, extraMeta: null };
    const path = await newFolder('linked', {
      'filequery-export.jsonl': ['files/link.txt', 'files/inside.txt', 'dir/secret.txt']
        .map((copy) => JSON.stringify({ ...record, copy }))
        .join('\n'),
      'files/a.txt': 'A.',
    });
    await symlink(secret, join(path, 'files/link.txt'));
    await symlink('a.txt', join(path, 'files/inside.txt'));
    await symlink(join(secret, '..'), join(path, 'dir'));
    const { code, stdout, stderr } = await filequery('import', path, '--dataset', 'linked');
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: '1 imported (2 B), 0 already there, 2 failed\n',
    });
    expect(stderr.split('\n')).toEqual([
      'files/link.txt: it is a link out of the folder',
      'dir/secret.txt: it is a link out of the folder',
      '',
    ]);
  });
});

describe('an import', () => {
  it('tells how far it is', async () => {
    const path = await newFolder('far', { 'a.txt': 'A.', 'b.txt': 'B.' });
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'], shouldClearNativeTimers: true });
    const running = filequery('import', path, '--dataset', 'far').finally(() => vi.useRealTimers());
    while (vi.isFakeTimers()) {
      vi.advanceTimersByTime(5_000);
      await new Promise((next) => setTimeout(next, 5));
    }
    expect((await running).stderr).toMatch(/^\d B of 4 B, \d of 2 files.*\n/);
  });

  it('replaces what has changed, and keeps what has moved', async () => {
    const path = await newFolder('changing', {
      'a.txt': 'One.',
      'b/c.txt': 'Two.',
      'd.txt': 'Three.',
    });
    await json('import', path, '--dataset', 'changing');
    await writeFile(join(path, 'a.txt'), 'One, changed.');
    await rename(join(path, 'd.txt'), join(path, 'b/e.txt'));
    expect(await json('import', path, '--dataset', 'changing')).toMatchObject({
      code: 0,
      imported: 1,
      skipped: 2,
      removed: 1,
    });
    expect(await pathsIn('changing')).toEqual(['a.txt', 'b/c.txt', 'd.txt']);
  });

  it('goes on after more files with a refused content than a call has arguments', async () => {
    const path = await newFolder('alike', { 'a.txt': '' });
    const absolute = join(path, 'a.txt');
    await writeFile(absolute, Buffer.from([0, 1, 2, 255]));
    const { size, ctimeMs } = await stat(absolute);
    const files = Array.from({ length: 200_000 }, (_, at) => ({
      path: `${at}.bin`,
      absolute,
      size,
      ctimeMs,
    }));
    let failures = 0;
    const { summary, endedBy } = await importFiles({
      remote: readRemote({ dataset: 'alike' }, settings),
      found: { files, unreadable: [] },
      hash: createHasher(),
      parallel: 1,
      stopping: new AbortController().signal,
      signal: new AbortController().signal,
      onFailure: () => failures++,
    });
    expect(endedBy).toBeUndefined();
    expect(summary).toMatchObject({ failed: files.length, remaining: 0 });
    expect(failures).toBe(files.length);
  });

  it('takes files and patterns, each file once', async () => {
    const path = await newFolder('some', {
      'a.md': '# A',
      'b/c.md': '# C',
      'b/.d.md': '# D',
      'e.txt': 'E',
    });
    const sources = [join(path, 'a.md'), join(path, '**/*.md')];
    const summary = await json('import', ...sources, '--dataset', 'some');
    expect(summary).toMatchObject({ code: 0, imported: 2, skipped: 0 });
    expect(await pathsIn('some')).toEqual([
      relative('.', join(path, 'a.md')),
      relative('.', join(path, 'b/c.md')),
    ]);
  });

  it.skipIf(process.platform !== 'linux')('goes on after a file that cannot be read', async () => {
    const path = await newFolder('readable', { 'a.txt': 'Readable.' });
    const sources = ['/proc/self/mem', join(path, 'a.txt')];
    const { code, stdout, stderr } = await filequery('import', ...sources, '--dataset', 'readable');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/mem: E[A-Z]+: /) });
    expect(stdout).toBe('1 imported (9 B), 0 already there, 1 failed\n');
  });

  it('tells of a path that cannot be looked at why, and goes on', async () => {
    const path = await newFolder('looping', { 'a.txt': 'A.' });
    await symlink('loop', join(path, 'loop'));
    const sources = [join(path, 'loop'), join(path, 'a.txt')];
    const { code, stdout, stderr } = await filequery('import', ...sources, '--dataset', 'looping');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/loop: ELOOP: /) });
    expect(stdout).toBe('1 imported (2 B), 0 already there, 1 failed\n');
  });

  it('ends when there are no credits left, and says what was not started', async () => {
    const { apiKey } = await gateway.app.admin.createCustomer({ name: 'poor', credits: '1' });
    const path = await newFolder('dear', { 'a.txt': 'A.', 'b.txt': 'B.', 'c.txt': 'C.' });
    const args = ['import', path, '--dataset', 'd', '--parallel', '1', '--key', apiKey];
    const { code, stdout, stderr } = await filequery(...args);
    expect(code).toBe(1);
    expect(stderr).toMatch(/: not enough credits: this costs 1, and 0 are left\n$/);
    expect(stdout).toBe(
      '1 imported (2 B), 0 already there, 0 failed, 2 not started: run it again to continue\n',
    );
  });

  it('is ended cleanly by Ctrl-C, and continued by another', async () => {
    const { apiKey } = await gateway.app.admin.createCustomer({ name: 'other', credits: '100' });
    const other = createClient(gateway, apiKey);
    const files = Array.from({ length: 50 }, (_, n) => [`${n}.txt`, `Number ${n}.`]);
    const path = await newFolder('long', Object.fromEntries(files));
    const args = ['import', path, '--dataset', 'long', '--parallel', '1', '--json'];
    const { child, ended } = run('src/cli/main.ts', args, {
      ...settings,
      FILEQUERY_API_KEY: apiKey,
    });
    while ((await pathsIn('long', other)).length === 0)
      await new Promise((next) => setTimeout(next, 20));
    child.kill('SIGINT');
    const { code, stdout, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 130, stderr: expect.stringContaining('Stopping') });
    const cut = JSON.parse(stdout);
    expect(cut.remaining).toBeGreaterThan(0);
    expect(cut.imported + cut.remaining).toBe(50);
    const rest = await json('import', path, '--dataset', 'long', '--key', apiKey);
    expect(rest).toMatchObject({ code: 0, imported: cut.remaining, skipped: cut.imported });
  });

  it('keeps a dataset in sync with a folder, with --watch', async () => {
    const path = await newFolder('watched', { 'a.txt': 'A.', 'b.txt': 'B.' });
    await client.upload(
      'watched',
      { 'other.txt': 'Not of an import.' },
      { metadata: '{"0": {"mine": true}}' },
    );
    const args = ['import', path, '--dataset', 'watched', '--watch'];
    const { child, ended, wrote } = run('src/cli/main.ts', args, settings);
    await wrote(/^2 imported/m);
    await writeFile(join(path, 'a.txt'), 'A, changed.');
    await rm(join(path, 'b.txt'));
    await newFolder('watched/new', { 'c.txt': 'C.' });
    await expect
      .poll(() => pathsIn('watched'), { timeout: 10_000 })
      .toEqual(['a.txt', 'new/c.txt', undefined]);
    child.kill('SIGINT');
    const { code, stdout } = await ended;
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^4 imported .*, 2 outdated removed, 0 failed\n$/),
    });
  });

  it('deletes nothing with --watch while the folder has had no file', async () => {
    await json('import', await newFolder('before', { 'a.txt': 'A.' }), '--dataset', 'unmounted');
    const path = await newFolder('unmounted', {});
    await mkdir(path);
    const args = ['import', path, '--dataset', 'unmounted', '--watch'];
    const { child, ended, wrote } = run('src/cli/main.ts', args, settings);
    await wrote(/^0 imported/m);
    await mkdir(join(path, '.hidden'));
    // Longer than changes are collected.
    await new Promise((next) => setTimeout(next, 2_000));
    expect(await pathsIn('unmounted')).toEqual(['a.txt']);
    child.kill('SIGINT');
    await ended;
  });

  it('with --watch sees a file change that has replaced another', async () => {
    const path = await newFolder('saved', { 'a.txt': 'One.', 'b/c.txt': 'C.' });
    const other = await newFolder('drafts', { 'a.txt': 'Two.' });
    const args = ['import', path, '--dataset', 'saved', '--watch'];
    const { child, ended, wrote } = run('src/cli/main.ts', args, settings);
    await wrote(/^2 imported/m);
    await rename(join(other, 'a.txt'), join(path, 'a.txt'));
    await wrote(/^1 imported .*, 1 outdated removed, 0 failed$/m);
    await writeFile(join(path, 'a.txt'), 'Two, changed.');
    await wrote(/^(1 imported .*, 1 outdated removed, 0 failed\n){2}/m);
    child.kill('SIGINT');
    await ended;
  });

  it('with --watch sees a file take the place of another with its size and time', async () => {
    const path = await newFolder('placed', { 'a.txt': 'One.' });
    const other = await newFolder('aside', { 'a.txt': 'Two.' });
    for (const one of [path, other]) await utimes(join(one, 'a.txt'), 1e9, 1e9);
    const args = ['import', path, '--dataset', 'placed', '--watch'];
    const { child, ended, wrote } = run('src/cli/main.ts', args, settings);
    await wrote(/^1 imported/m);
    await rename(join(other, 'a.txt'), join(path, 'a.txt'));
    await wrote(/^1 imported .*, 1 outdated removed, 0 failed$/m);
    child.kill('SIGINT');
    await ended;
  });
});

describe('is refused in one line:', () => {
  it.each([
    [['import', '/nowhere/at/all'], '/nowhere/at/all: there is no such file or folder'],
    [['import', '/nowhere/\x1b[31m.md'], /^\/nowhere\/\?\[31m\.md: there is no such file/],
    [['import', '/nowhere/*.md'], /^\/nowhere\/\*\.md: there is no such file or folder$/],
    [['import', '.', '--parallel', '0'], '--parallel: must be a whole number from 1 to 64'],
    [['import', 'package.json', '--watch'], '--watch: package.json is no folder'],
    [['import', 'src', 'docs', '--watch'], '--watch takes exactly one folder'],
    [['files', '--url', 'localhost'], '--url: must be an http:// or https:// URL'],
    [['files', '--dataset', 'd', '--filter', 'x'], '--filter: must be like key=value, not x'],
    [['files', '--filters', '[{"keys": 1}]', '--dataset', 'd'], /"keys"/],
    [['search', 'x', '--limit', 'all'], '--limit: must be a whole number'],
    [
      ['ask', 'x', '--dataset', 'd', '--filters', '{'],
      '--filters: must be a JSON array of filters, or one filter',
    ],
    [['export', '/dev/null/x', '--dataset', 'd'], /^The export cannot be written: EEXIST/],
    [['export', '/proc/x/y', '--dataset', 'd'], /^The export cannot be written: ENOENT/],
    [['files'], /: datasetId is required.*: an API key needs --dataset/],
    [['ask', '', '--dataset', 'd'], 'the question is empty'],
    [['search', ' ', '--dataset', 'd'], 'the question is empty'],
    [['search', 'x'], /: datasetId and question are required: an API key needs --dataset$/],
    [['ask', 'x'], /: datasetId and question are required: an API key needs --dataset$/],
    [
      ['files', '--key', 'a\nb'],
      '--key: must be an API key or frontend token, in one line of ASCII',
    ],
    [['files', '--key', 'schlüssel'], /^--key: must be an API key or frontend token, in one line/],
    [['files', '--key', ' fq_wrong\n', '--dataset', 'd'], /: Invalid API key or token$/],
    [['search', 'x', '--dataset', 'd', '--limit', '51'], /: limit must be /],
    [['files', '--dataset', 'd', '--key', 'fq_wrong'], /: Invalid API key or token$/],
  ])('%j', async (args, line) => {
    const { code, stdout, stderr } = await filequery(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.split('\n')).toEqual([expect.stringMatching(line), '']);
  });
});

import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { childrenOf, residentMemory } from '../../support/child-processes.ts';
import { useExtractor } from './support.ts';
import { paragraphs } from './zip.ts';

const MEGABYTE = 1024 * 1024;
/** One process, and a heap that no file of these tests fits into. */
const { extractor, fixture, made, read, stream } = useExtractor({ maxProcesses: 1, memory: 48 });
const faraway = useExtractor({ maxProcesses: 1, memory: 48 });
const impatient = useExtractor({ maxProcesses: 1, timeLimit: 0.5 });
const unhurried = useExtractor({ maxProcesses: 1, timeLimit: 3 });
const roomy = useExtractor({ maxProcesses: 2 });
const heedful = useExtractor({ maxProcesses: 1 });
const heedless = useExtractor({ maxProcesses: 1 });
const killed = useExtractor({ maxProcesses: 1 });
/** As on a machine of two cores. */
const shared = useExtractor({});

async function readers(): Promise<Set<number>> {
  return new Set(await childrenOf(process.pid, 'extraction-process.ts'));
}

/** Lines of prose, each with its number. */
function prose(megabytes: number): string {
  const line = (n: number) =>
    `Line ${n}: the ferry to Osprey Island leaves at noon and carries ${n % 97} passengers.\n`;
  const lines = Math.ceil((megabytes * MEGABYTE) / line(100_000).length);
  return Array.from({ length: lines }, (_, n) => line(n + 1)).join('');
}

test('12 MB of text stream through little memory, on both sides', async () => {
  const text = prose(12);
  const file = await made('long.txt', text);
  let [chunks, paused] = [0, false];
  for await (const batch of stream(file, { chunkOverlap: 0 })) {
    chunks += batch.length;
    if (paused) continue;
    paused = true;
    const before = process.memoryUsage().heapUsed;
    await sleep(500);
    // All chunks would be 16 MB: the process waits until some are taken.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10 * MEGABYTE);
  }
  expect(chunks).toBeGreaterThan((12 * MEGABYTE) / 1500);
});

test.each([
  ['csv', () => `number,text\n${prose(3).replaceAll(': ', ',')}`],
  ['jsonl', () => prose(3).replace(/Line (\d+): (.*)/g, '{"line": $1, "text": "$2"}')],
  ['md', () => prose(3).replace(/^Line (\d+00):/gm, '\n## Chapter $1\n\nLine $1:')],
  ['srt', () => prose(3).replace(/^Line (\d+)/gm, '\n$1\n00:00:01,000 --> 00:00:02,000\nLine $1')],
])('3 MB of %s stream through little memory', async (extension, content) => {
  let chunks = 0;
  for await (const batch of stream(await made(`long.${extension}`, content())))
    chunks += batch.length;
  expect(chunks).toBeGreaterThan((3 * MEGABYTE) / 1500);
});

test('a file that takes all memory of its process harms no other, and is told of wherever Node is installed', async () => {
  const file = await faraway.made('huge.docx', paragraphs(300_000));
  // V8 writes the path of Node into every frame of its stack trace, which follows the reason.
  const folder = join(dirname(file.path), 'a-long-name/'.repeat(20));
  await mkdir(folder, { recursive: true });
  const { execPath } = process;
  process.execPath = join(folder, 'node');
  await symlink(execPath, process.execPath);
  try {
    await expect(faraway.read(file)).rejects.toMatchObject({
      code: 'UNREADABLE_FILE',
      details: { file: 'huge.docx', reason: 'it takes too much memory to read' },
    });
  } finally {
    process.execPath = execPath;
  }
  await readLetter(faraway);
});

test('a file of text that is given up frees its process, which reads the next', async () => {
  const others = await readers();
  await readLetter(heedful);
  const own = (await readers()).difference(others);
  const gaveUp = new AbortController();
  const file = await heedful.made('given-up.txt', prose(8));
  const chunks = heedful.stream(file, { signal: gaveUp.signal });
  // The rest is never taken: without the abort its process would wait for ever.
  await chunks.next();
  gaveUp.abort(new Error('The client went away.'));
  await expect(chunks.next()).rejects.toThrow('The client went away.');
  await readLetter(heedful);
  expect((await readers()).difference(others)).toEqual(own);
});

test('a file that is given up ends a process that does not hear of it', async () => {
  const others = await readers();
  await readLetter(heedless);
  const own = (await readers()).difference(others);
  const memory = await memoryOf(own);
  const file = await heedless.made('given-up.docx', paragraphs(300_000));
  const gaveUp = new AbortController();
  const reading = heedless.read(file, { signal: gaveUp.signal });
  // Then it is in the middle of the file.
  while ((await memoryOf(own)) < memory + 50 * MEGABYTE) await sleep(20);
  gaveUp.abort(new Error('The client went away.'));
  await expect(reading).rejects.toThrow('The client went away.');
  await readLetter(heedless);
  expect((await readers()).isDisjointFrom(own)).toBe(true);
});

/** Bytes that processes of this one have in memory. */
async function memoryOf(pids: Set<number>): Promise<number> {
  const resident = await residentMemory(process.pid);
  return [...pids].reduce((sum, pid) => sum + (resident.get(pid) ?? 0), 0);
}

async function readLetter({ read, fixture }: ReturnType<typeof useExtractor>): Promise<void> {
  expect(await read(await fixture('documents/letter.txt'))).toHaveLength(1);
}

test('taking no more chunks frees the process', async () => {
  for await (const batch of stream(await made('left.txt', prose(8)))) {
    expect(batch.length).toBeGreaterThan(0);
    break;
  }
  expect(await read(await fixture('documents/letter.txt'))).toHaveLength(1);
});

test('a process that is killed fails its file with a reason, and no other', async () => {
  const others = await readers();
  const chunks = killed.stream(await killed.made('killed.txt', prose(5)));
  await chunks.next();
  const [reader] = (await readers()).difference(others);
  if (reader === undefined) throw new Error('no process has read the file');
  process.kill(reader, 'SIGKILL');
  await expect(Array.fromAsync(chunks)).rejects.toMatchObject({
    code: 'UNREADABLE_FILE',
    details: {
      file: 'killed.txt',
      reason: expect.stringMatching(/^reading it ended unexpectedly/),
    },
  });
  expect(await killed.read(await killed.fixture('documents/letter.txt'))).toHaveLength(1);
});

test('many files, one after the other and at once, are read by the same process', async () => {
  const letter = await roomy.fixture('documents/letter.txt');
  await roomy.read(letter);
  const before = await readers();
  for (const _ of Array(20)) await roomy.read(letter);
  await Promise.all(Array.from({ length: 20 }, () => roomy.read(letter)));
  expect(await readers()).toEqual(before);
});

test('nothing is read for a client that is gone already', async () => {
  const signal = AbortSignal.abort(new Error('The client went away.'));
  const reading = read(await fixture('documents/letter.txt'), { signal });
  await expect(reading).rejects.toThrow('The client went away.');
});

test('a file has a time limit, and so has no other', async () => {
  const slow = await impatient.made('slow.txt', 'a'.repeat(3 * MEGABYTE));
  await expect(impatient.read(slow)).rejects.toMatchObject({
    code: 'UNREADABLE_FILE',
    details: { file: 'slow.txt', reason: 'it takes too long to read' },
  });
});

test('time with whoever takes the chunks does not count', async () => {
  const file = await unhurried.fixture('documents/letter.txt');
  for await (const _ of unhurried.stream(file, { chunkSize: 50 })) await sleep(3100);
});

test('a file whose chunks are taken slowly keeps no other waiting', async () => {
  const slow = roomy.stream(await roomy.made('slow.txt', prose(5)));
  await slow.next();
  expect(await roomy.read(await roomy.fixture('documents/letter.txt'))).toHaveLength(1);
  await slow.return(undefined);
});

test('a tiny file of one customer passes the large files of another', async () => {
  const large = await shared.made('large.txt', prose(3));
  const tiny = await shared.fixture('documents/letter.txt');
  const order: string[] = [];
  const done = (name: string) => () => void order.push(name);
  const many = Array.from({ length: 6 }, () =>
    shared.read(large, { owner: 'busy' }).then(done('large')),
  );
  await sleep(100);
  await shared.read(tiny, { owner: 'other' }).then(done('tiny'));
  await Promise.all(many);
  // Those that had begun may end before it.
  expect(order.indexOf('tiny')).toBeLessThanOrEqual(2);
  expect(order).toHaveLength(7);
});

test('a file that is gone is no fault of the client', async () => {
  const gone = { originalName: 'a.txt', mimeType: null, size: 9, path: '/nowhere/a.txt' };
  await expect(extractor.identify(gone)).rejects.toMatchObject({ code: 'ENOENT' });
  const { signal } = new AbortController();
  const kind = { format: 'text', mimeType: 'text/plain', media: false };
  const chunks = extractor.extract(gone, kind, {
    owner: 'customer',
    chunkSize: 300,
    chunkOverlap: 20,
    signal,
  });
  await expect(Array.fromAsync(chunks)).rejects.toThrow(/^ENOENT/);
});

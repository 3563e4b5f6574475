import { expect, test } from 'vitest';
import { useExtractor } from './support.ts';

const { made, read } = useExtractor();

/** They break lines where text is shown. */
const BREAKS = ['\f', '\v', '\x85', '\u2028', '\u2029'];

test.each(BREAKS)('a table with %j in a cell', async (mark) => {
  const file = await made('break.csv', `Name,Note,Price\nAnn,a${mark}b,5\n`);
  expect(await read(file)).toEqual([
    {
      content: 'Name | Note | Price\nName: Ann; Note: a b; Price: 5',
      origin: { row: 1, rowEnd: 2 },
    },
  ]);
});

test('a table with many empty cells', async () => {
  const names = Array.from({ length: 250 }, (_, column) => `c${column}`);
  const file = await made('wide.tsv', `${names.join('\t')}\nfirst${'\t'.repeat(249)}last\n`);
  expect((await read(file)).at(-1)?.content).toContain('\nc0: first; c249: last');
});

test.each([
  ['json', { jsonPath: '$' }],
  ['jsonl', { line: 1 }],
])('a .%s with line breaks of other kinds in its texts', async (extension, origin) => {
  const file = await made(`breaks.${extension}`, '{"id": 7, "text": "a\u2028b\u2029c\x85d"}');
  expect(await read(file)).toEqual([{ content: 'id: 7; text: a\nb\nc\nd', origin }]);
});

test.each(['json', 'jsonl'])('the last zeros of numbers of a .%s stay', async (extension) => {
  const file = await made(`tent.${extension}`, '{"price": 19.90, "seats": 20, "version": 1.10}');
  const [chunk] = await read(file);
  expect(chunk?.content).toBe('price: 19.90; seats: 20; version: 1.10');
});

test.each(['json', 'jsonl'])('numbers of a .%s are as they are written', async (extension) => {
  const json =
    '{"id": 12345678901234567890, "price": 2.10, "far": 1e400, "pi": 3.14159265358979323}';
  const [chunk] = await read(await made(`numbers.${extension}`, json));
  expect(chunk?.content).toBe(
    'id: 12345678901234567890; price: 2.10; far: 1e400; pi: 3.14159265358979323',
  );
});

test('lines are counted as editors count them', async () => {
  const file = await made('pages.c', `int a;\n\f\n${'int b;\n'.repeat(3)}a\u2028b\nlast\n`);
  expect(await read(file)).toEqual([
    { content: 'int a;\n\nint b;\nint b;\nint b;\na\nb\nlast', origin: { line: 1, lineEnd: 7 } },
  ]);
});

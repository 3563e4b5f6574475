import { utils, write } from '@e965/xlsx';
import { expect, test } from 'vitest';
import { useExtractor } from './support.ts';

const { made, read } = useExtractor();

type Cell = string | number | null;

function workbook(rows: Cell[][], merges: string[], bookType: 'xlsx' | 'ods'): Buffer {
  const sheet = utils.aoa_to_sheet(rows);
  sheet['!merges'] = merges.map((range) => utils.decode_range(range));
  const book = utils.book_new();
  utils.book_append_sheet(book, sheet, 'Sheet');
  return write(book, { type: 'buffer', bookType }) as Buffer;
}

test.each(['xlsx', 'ods'] as const)('values of a .%s that span rows', async (bookType) => {
  const rows = [
    ['Sales', null, null, null],
    [null, null, null, null],
    ['Region', 'City', '2030', null],
    [null, null, 'H1', 'H2'],
    ['North', 'Aby', 1, 2],
    [null, 'Bex', 3, 4],
    ['South', 'Cam', 5, null],
    [null, null, null, null],
  ];
  const merges = ['A1:D2', 'A3:A4', 'B3:B4', 'C3:D3', 'A5:A6', 'C7:D7', 'A7:A8'];
  const chunks = await read(await made(`spans.${bookType}`, workbook(rows, merges, bookType)));
  expect(chunks.map(({ content }) => content)).toEqual([
    'Sheet\nSales\nRegion | City | 2030\nRegion | City | 2030 / H1 | 2030 / H2\n' +
      'Region: North; City: Aby; 2030 / H1: 1; 2030 / H2: 2\n' +
      'Region: North; City: Bex; 2030 / H1: 3; 2030 / H2: 4\n' +
      'Region: South; City: Cam; 2030 / H1: 5',
  ]);
});

test.each(['xlsx', 'ods'] as const)('a .%s with long numbers', async (bookType) => {
  const rows = [
    ['Article', 'EAN', 'Factor'],
    ['Rope', 4006381333931, 0.25],
  ];
  const chunks = await read(await made(`numbers.${bookType}`, workbook(rows, [], bookType)));
  expect(chunks[0]?.content).toContain('Article: Rope; EAN: 4006381333931; Factor: 0.25');
});

import { expect, test } from 'vitest';
import { useExtractor } from './support.ts';
import { epub, wordDocument } from './zip.ts';

const { made, read } = useExtractor();

const p = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
const row = (...cells: string[]) =>
  `<w:tr>${cells.map((cell) => `<w:tc>${cell}</w:tc>`).join('')}</w:tr>`;
const table = (...rows: string[]) => `<w:tbl>${rows.join('')}</w:tbl>`;

test.each([
  [
    'several paragraphs in a cell',
    table(row(p('Ann') + p('Berg'), p('7'), p('x'))),
    'Ann Berg | 7 | x',
  ],
  [
    'a table in a cell',
    table(row(p('Van') + table(row(p('Seats'), p('9')), row(p('Fuel'), p('gas'))), p('red'))),
    'Van (Seats | 9; Fuel | gas) | red',
  ],
  [
    'a single cell, which is a frame around text',
    table(row(p('First.') + table(row(p('a'), p('b'))) + p('Last.'))),
    'First.\na | b\n\nLast.',
  ],
  [
    'cells that span rows and columns',
    table(
      row(p('Team'), p('Name'), p('Age'), p('Room')),
      row(`<w:tcPr><w:vMerge w:val="restart"/></w:tcPr>${p('Red')}`, p('Ann'), p('30'), p('A')),
      row(`<w:tcPr><w:vMerge/></w:tcPr>${p('')}`, p('Bob'), p('31'), p('B')),
      row(`<w:tcPr><w:gridSpan w:val="3"/></w:tcPr>${p('Nobody')}`, p('C')),
    ),
    'Team | Name | Age | Room\nTeam: Red; Name: Ann; Age: 30; Room: A\n' +
      'Team: Red; Name: Bob; Age: 31; Room: B\nTeam: Nobody; Room: C',
  ],
])('a table of a document with %s', async (_case, body, text) => {
  const chunks = await read(await made('table.docx', wordDocument(body)));
  expect(chunks.map(({ content }) => content)).toEqual([text]);
});

test('footnotes and comments in the cells of a document', async () => {
  const priced = '<w:p><w:r><w:t>5</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>';
  const noted =
    '<w:p><w:commentRangeStart w:id="0"/><w:r><w:t>6</w:t></w:r><w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r></w:p>';
  const body = table(row(p('Rope'), p('new'), priced), row(p('Sail'), p('old'), noted));
  const chunks = await read(
    await made(
      'notes.docx',
      wordDocument(body, {
        footnotes: `<w:footnotes><w:footnote w:id="2">${p('Plus tax.')}</w:footnote></w:footnotes>`,
        comments: `<w:comments><w:comment w:id="0" w:author="Eve">${p('Check it.')}</w:comment></w:comments>`,
      }),
    ),
  );
  expect(chunks.map(({ content }) => content)).toEqual([
    'Rope | new | 5\n\nPlus tax.\nSail | old | 6\nComment by Eve: Check it.',
  ]);
});

test('cells that span columns and rows of a book', async () => {
  const page = `<table><tr><th>A</th><th>B</th><th>C</th></tr>
    <tr><td colspan="2">one</td><td>two</td></tr>
    <tr><td rowspan="2">three</td><td>four</td><td>five</td></tr>
    <tr><td>six</td><td>seven</td></tr></table>`;
  const chunks = await read(await made('spans.epub', epub(page)));
  expect(chunks.map(({ content }) => content)).toEqual([
    'A | B | C\nA: one; C: two\nA: three; B: four; C: five\nA: three; B: six; C: seven',
  ]);
});

test('a row of a web page that ends before a cell that spans into it', async () => {
  const page = `<table><tr><th>A<th>B<th>C<tr><td>1<td>2<td rowspan=2>3
    <tr><td>4<tr><td>5<td>6<td>7</table>`;
  const [chunk] = await read(await made('short-row.html', page));
  expect(chunk?.content).toBe('A | B | C\nA: 1; B: 2; C: 3\nA: 4; C: 3\nA: 5; B: 6; C: 7');
});

import { expect, test } from 'vitest';
import {
  LAM_ALEF,
  madePdf,
  type PdfPage,
  type PdfText,
  rightToLeft,
} from '../../support/made-pdf.ts';
import { useExtractor } from './support.ts';

const { made, read } = useExtractor();

const REPORT: PdfText[] = [
  { glyphs: 'Service report', x: 60, y: 780, size: 18 },
  { glyphs: 'The pump was serviced in March and runs at 40 bar,', x: 60, y: 740 },
  { glyphs: 'which is the limit that the manual gives for it.', x: 60, y: 726 },
  ...rows(['Site', 'Pressure', 'Month'], ['North', '38 bar', 'May'], ['South', '41 bar', 'June']),
];
const REPORT_TEXT = [
  'Service report',
  'The pump was serviced in March and runs at 40 bar, which is the limit that the manual gives for it.',
  '',
  'Site | Pressure | Month',
  'Site: North; Pressure: 38 bar; Month: May',
  'Site: South; Pressure: 41 bar; Month: June',
].join('\n');

test.each([
  ['upright', {}, 0],
  ['a page that is to be turned clockwise', { rotate: 90, width: 842, height: 595 }, 90],
  ['a page upside down', { rotate: 180 }, 180],
  ['a page that is to be turned anticlockwise', { rotate: 270, width: 842, height: 595 }, 270],
  ['text up the page', { width: 842, height: 595 }, 90],
  ['text down the page', { width: 842, height: 595 }, 270],
  ['a page that was scanned askew', {}, 3],
])('%s is read line by line', async (_, page, angle) => {
  expect(await textsOf({ ...page, texts: REPORT.map((text) => turned(text, angle)) })).toEqual([
    REPORT_TEXT,
  ]);
});

test('a stamp across the pages is told once, and is no heading', async () => {
  const stamp = { glyphs: 'DRAFT', x: 200, y: 300, size: 60, angle: 45 };
  const next = { glyphs: 'The next service is due in September.', x: 60, y: 740 };
  const chunks = await chunksOf({ texts: [...REPORT, stamp] }, { texts: [next, stamp] });
  expect(
    chunks
      .map(({ content }) => content)
      .join('\n')
      .match(/DRAFT/g),
  ).toHaveLength(1);
  expect(chunks.map(({ origin }) => origin['heading'])).not.toContain('DRAFT');
});

test('Hebrew: lines, numbers and the columns of a table from right to left', async () => {
  const [text] = await textsOf({
    texts: [
      { glyphs: rightToLeft('אחריות'), x: 400, y: 780, size: 18 },
      ...fromTheRight(
        740,
        rightToLeft('הסוללה מחזיקה '),
        '14',
        rightToLeft(' שעות בטעינה אחת, ולא יותר משעה אחת בקור'),
      ),
      ...fromTheRight(726, rightToLeft('בלילה.')),
      ...rows(['250', rightToLeft('מחיר'), rightToLeft('עיר')]).slice(1),
      ...rows(['9', '120', rightToLeft('חיפה')], ['8', '95', rightToLeft('אילת')]).map((row) => ({
        ...row,
        y: row.y - 15,
      })),
    ],
  });
  expect(text).toContain('הסוללה מחזיקה 14 שעות בטעינה אחת, ולא יותר משעה אחת בקור בלילה.');
  expect(text).toMatch(/עיר.*מחיר/);
  expect(text).toMatch(/חיפה.*120.*9/);
  expect(text).toMatch(/אילת.*95.*8/);
});

test('Hebrew: the column on the right is read first', async () => {
  const column = (words: string, x: number) =>
    Array.from({ length: 8 }, (_, line) => ({
      glyphs: rightToLeft(`${words} ${'אבגדה'[line % 5]} היא שורה ארוכה למדי`),
      x,
      y: 760 - 14 * line,
    }));
  const texts = [...column('שנייה', 40), ...column('ראשונה', 320)];
  const text = (await textsOf({ texts })).join('\n');
  expect(text.indexOf('ראשונה')).toBeLessThan(text.indexOf('שנייה'));
  expect(text.lastIndexOf('ראשונה')).toBeLessThan(text.indexOf('שנייה'));
});

test('Arabic: the letters of a ligature are in their order', async () => {
  const line = (logical: string, y: number) => ({
    glyphs: rightToLeft(logical.replace('لا', LAM_ALEF)),
    x: 200,
    y,
  });
  const texts = [line('الجهاز لا يعمل ولا يتوقف', 740), line('كل الاتفاق مع العميل', 700)];
  const text = (await textsOf({ texts })).join('\n');
  expect(text).toContain('الجهاز لا يعمل');
  expect(text).toContain('الاتفاق');
});

test('Arabic: the shapes of letters are the letters as they are typed', async () => {
  const glyphs = rightToLeft('ﺳﻴﺎﺳﺔ اﻹﺟﺎزات');
  expect(await textsOf({ texts: [{ glyphs, x: 200, y: 740 }] })).toEqual(['سياسة الإجازات']);
});

test('Japanese: headings, no spaces where lines break, tables', async () => {
  const chunks = await chunksOf({
    texts: [
      { glyphs: '取扱説明書', x: 60, y: 780, size: 20 },
      { glyphs: '電池は一回の充電で十四時間使用できます。付属の充電器だけを', x: 60, y: 740 },
      { glyphs: '使ってください。', x: 60, y: 724 },
      ...rows(['都市', '価格', '月'], ['東京', '120', '五月'], ['大阪', '95', '六月']),
    ],
  });
  expect(chunks).toMatchObject([{ origin: { heading: '取扱説明書', page: 1 } }]);
  expect(chunks[0]?.content).toBe(
    '取扱説明書\n電池は一回の充電で十四時間使用できます。付属の充電器だけを使ってください。\n\n' +
      '都市 | 価格 | 月\n都市: 東京; 価格: 120; 月: 五月\n都市: 大阪; 価格: 95; 月: 六月',
  );
});

/** A line from x = 540 to the left, where letters are half as wide as they are high. */
function fromTheRight(y: number, ...pieces: string[]): PdfText[] {
  let x = 540;
  return pieces.map((glyphs) => {
    x -= 5.5 * glyphs.length;
    return { glyphs, x, y };
  });
}

/** A table in the middle of a page. */
function rows(...cells: string[][]): PdfText[] {
  return cells.flatMap((row, index) =>
    row.map((glyphs, column) => ({ glyphs, x: 60 + 140 * column, y: 690 - 15 * index })),
  );
}

/** The text where it stands on a page that is turned clockwise by the angle before it is shown. */
function turned(text: PdfText, angle: number): PdfText {
  const { x, y } = text;
  if (angle === 90) return { ...text, x: 842 - y, y: x, angle };
  if (angle === 180) return { ...text, x: 595 - x, y: 842 - y, angle };
  if (angle === 270) return { ...text, x: y, y: 595 - x, angle };
  const radians = (angle * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  return { ...text, x: x * cos - y * sin + 40, y: x * sin + y * cos, angle };
}

async function chunksOf(...pages: PdfPage[]) {
  return read(await made('made.pdf', madePdf(pages)));
}

async function textsOf(...pages: PdfPage[]): Promise<string[]> {
  return (await chunksOf(...pages)).map(({ content }) => content);
}

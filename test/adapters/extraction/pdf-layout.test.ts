import { expect, test } from 'vitest';
import { madePdf, type PdfText } from '../../support/made-pdf.ts';
import { useExtractor } from './support.ts';

const { made, read } = useExtractor();

const [NAME, SIZE, PRICE] = [60, 260, 340];

test('a table whose cells are centred beside those of two lines, and the heading below it', async () => {
  const row = (y: number, name: string[], size: string, price: string): PdfText[] => [
    ...name.map((glyphs, line) => ({ glyphs, x: NAME, y: y - 14 * line })),
    { glyphs: size, x: SIZE, y: y - 7 * (name.length - 1) },
    { glyphs: price, x: PRICE, y: y - 7 * (name.length - 1) },
  ];
  const texts = [
    ...row(760, ['Article'], 'Size', 'Price'),
    ...row(740, ['Bolt with a longer name', 'than others have'], 'M1', '1.35'),
    ...row(704, ['Nut'], 'M2', '0.40'),
    ...row(684, ['Washer with a longer name', 'than others have'], 'M3', '2.70'),
    { glyphs: 'Delivery', x: NAME, y: 636, size: 16 },
    { glyphs: 'Delivery takes three days, or one day by express.', x: NAME, y: 610 },
  ];
  const chunks = await read(await made('prices.pdf', madePdf([{ texts }])));
  expect(chunks.map(({ content }) => content).join('\n\n')).toBe(
    [
      'Article | Size | Price',
      'Article: Bolt with a longer name than others have; Size: M1; Price: 1.35',
      'Article: Nut; Size: M2; Price: 0.40',
      'Article: Washer with a longer name than others have; Size: M3; Price: 2.70',
      'Delivery',
      'Delivery takes three days, or one day by express.',
    ].join('\n'),
  );
});

test('columns whose lines are at different heights are read one after the other', async () => {
  const column = (name: string, x: number, top: number) =>
    Array.from({ length: 20 }, (_, line) => ({
      glyphs: `${name} has the line ${line} of its own text here`,
      x,
      y: top - 14 * line,
    }));
  const texts = [...column('Left', 40, 760), ...column('Right', 310, 753)];
  const text = (await read(await made('columns.pdf', madePdf([{ texts }]))))
    .map(({ content }) => content)
    .join('\n');
  expect(text.lastIndexOf('Left')).toBeLessThan(text.indexOf('Right'));
});

test('a capital that is as high as two lines', async () => {
  const line = (glyphs: string, x: number, y: number, size?: number): PdfText => ({
    ...{ glyphs, x, y },
    ...(size && { size }),
  });
  const texts = [
    line('T', 60, 724, 34),
    line('he garden opens on the first of April at nine in the morning,', 78, 740),
    line('and visitors may bring their dogs as long as they are on a lead', 78, 726),
    line('at all times. There is a small fee of four pounds for each adult.', 60, 712),
    line('Children and dogs are free.', 60, 698),
  ];
  const chunks = await read(await made('garden.pdf', madePdf([{ texts }])));
  expect(chunks.map(({ content }) => content)).toEqual([
    'The garden opens on the first of April at nine in the morning, and visitors may bring their dogs ' +
      'as long as they are on a lead at all times. There is a small fee of four pounds for each adult. ' +
      'Children and dogs are free.',
  ]);
});

test('the items of a list whose bullets are shapes, as Chromium draws them', async () => {
  const texts = [
    { glyphs: 'Delivery takes three days, and costs:', x: 60, y: 740 },
    { glyphs: 'Germany: nothing from 100 euros', x: 80, y: 714, item: true },
    { glyphs: 'Austria: 12 euros', x: 80, y: 700, item: true },
    { glyphs: 'Switzerland: 25 euros', x: 80, y: 686, item: true },
  ];
  const [chunk] = await read(await made('list.pdf', madePdf([{ texts }])));
  expect(chunk?.content).toBe(
    'Delivery takes three days, and costs:\n- Germany: nothing from 100 euros\n' +
      '- Austria: 12 euros\n- Switzerland: 25 euros',
  );
});

import { expect, test } from 'vitest';
import { madePdf } from '../../support/made-pdf.ts';
import { useExtractor } from './support.ts';
import { epub, wordDocument } from './zip.ts';

const { made, read } = useExtractor();

const html =
  '5000<sup>1</sup> ants, <b>10</b><sup>&#8722;6</sup> m, 1<sup>st</sup>, x<sup>[3]</sup>';
const text = '5000¹ ants, 10⁻⁶ m, 1st, x[3]';
const run = (words: string, raised = false) =>
  `<w:r><w:rPr>${raised ? '<w:vertAlign w:val="superscript"/>' : ''}</w:rPr>` +
  `<w:t xml:space="preserve">${words}</w:t></w:r>`;
const word = `<w:p>${run('5000')}${run('1', true)}${run(' ants, 1')}${run('st', true)}</w:p>`;
const rtf = '{\\rtf1 5000{\\super 1} ants, 1{\\super st}\\par}';
const pdf = madePdf([
  {
    texts: [
      { glyphs: '5000', x: 60, y: 700 },
      { glyphs: '1', x: 82, y: 705, size: 7 },
      { glyphs: 'ants, 1st', x: 92, y: 700 },
    ],
  },
]);

test.each([
  ['html', `<p>${html}<p><sup>1</sup> As of 2030.`, `${text}\n\n1 As of 2030.`],
  ['md', html, text],
  ['epub', epub(`<p>${html}</p>`), text],
  ['docx', wordDocument(word), '5000¹ ants, 1st'],
  ['rtf', rtf, '5000¹ ants, 1st'],
  ['pdf', pdf, '5000¹ ants, 1st'],
])(
  'numbers above the line of a .%s are not part of those before them',
  async (extension, content, expected) => {
    const chunks = await read(await made(`raised.${extension}`, content));
    expect(chunks.map((chunk) => chunk.content)).toEqual([expected]);
  },
);

import { expect, test } from 'vitest';
import { useExtractor } from './support.ts';
import { wordDocument } from './zip.ts';

const { made, read } = useExtractor();

const p = (text: string, style: string, item?: { level: number; list: number }) =>
  `<w:p><w:pPr><w:pStyle w:val="${style}"/>${
    item ? `<w:numPr><w:ilvl w:val="${item.level}"/><w:numId w:val="${item.list}"/></w:numPr>` : ''
  }</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
const style = (id: string, name: string, basedOn: string, outline?: number) =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/><w:basedOn w:val="${basedOn}"/>${
    outline === undefined ? '' : `<w:pPr><w:outlineLvl w:val="${outline}"/></w:pPr>`
  }</w:style>`;

/** The styles of a German Word, and one that is based on itself. */
const STYLES = `<w:styles>${[
  style('Standard', 'Normal', ''),
  style('Titel', 'Title', 'Standard'),
  style('berschrift1', 'heading 1', 'Standard', 0),
  style('berschrift2', 'heading 2', 'Standard', 1),
  style('Anhang', 'Anhang', 'berschrift1'),
  style('Unterpunkt', 'Unterpunkt', 'berschrift1', 1),
  style('Verzeichnis', 'TOC Heading', 'berschrift1', 9),
  style('Kreis', 'Kreis', 'Kreis'),
].join('')}</w:styles>`;
const level = (number: number) =>
  `<w:lvl w:ilvl="${number}"><w:start w:val="1"/><w:numFmt w:val="decimal"/></w:lvl>`;
const NUMBERING = `<w:numbering><w:abstractNum w:abstractNumId="0">${level(0)}${level(1)}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`;

/** Enough for a chunk of its own. */
const TEXT = 'Der Antrag wird spätestens zwei Wochen vor der Reise gestellt. '.repeat(8).trim();

test.each([
  ['a document that was not written in English', 'berschrift1', 'berschrift2'],
  ['styles that are based on headings', 'Anhang', 'Unterpunkt'],
])('the headings of %s', async (_case, first, second) => {
  const body = [
    p('Reiserichtlinie', 'Titel'),
    p('Verpflegung', first),
    p(TEXT, 'Standard'),
    p('Ausland', second),
    p(TEXT, 'Kreis'),
  ];
  const chunks = await read(
    await made('richtlinie.docx', wordDocument(body.join(''), { styles: STYLES })),
  );
  expect(chunks).toEqual([
    {
      content: `Reiserichtlinie\nVerpflegung\n${TEXT}`,
      origin: { heading: 'Verpflegung' },
    },
    { content: `Ausland\n${TEXT}`, origin: { heading: 'Verpflegung > Ausland' } },
  ]);
});

test('headings with numbers, and paragraphs whose number was removed', async () => {
  const body = [
    p('Inhalt', 'Verzeichnis'),
    p('Zweck', 'berschrift1', { level: 0, list: 1 }),
    p('Reisen', 'berschrift1', { level: 0, list: 1 }),
    p('Inland', 'berschrift2', { level: 1, list: 1 }),
    p('Ausland', 'berschrift2', { level: 1, list: 1 }),
    p('Es gilt der Tag.', 'Standard', { level: 0, list: 0 }),
    p('Es gilt die Nacht.', 'Standard', { level: 0, list: 0 }),
  ];
  const parts = { styles: STYLES, numbering: NUMBERING };
  const chunks = await read(await made('nummern.docx', wordDocument(body.join(''), parts)));
  expect(chunks).toEqual([
    {
      content:
        'Inhalt\n\n1. Zweck\n2. Reisen\n2.1. Inland\n2.2. Ausland\nEs gilt der Tag.\n\nEs gilt die Nacht.',
      origin: { heading: '2. Reisen > 2.2. Ausland' },
    },
  ]);
});

test('a nested list begins anew below each item, and goes on after a paragraph', async () => {
  const body = [
    p('Pack', 'Standard', { level: 0, list: 1 }),
    p('Tent', 'Standard', { level: 1, list: 1 }),
    p('Rope', 'Standard', { level: 1, list: 1 }),
    p('Leave', 'Standard', { level: 0, list: 1 }),
    p('Lock', 'Standard', { level: 1, list: 1 }),
    p('Take the key.', 'Standard'),
    p('Walk', 'Standard', { level: 1, list: 1 }),
  ];
  const chunks = await read(
    await made('steps.docx', wordDocument(body.join(''), { numbering: NUMBERING })),
  );
  expect(chunks.map(({ content }) => content)).toEqual([
    '1. Pack\n  1. Tent\n  2. Rope\n2. Leave\n  1. Lock\n\nTake the key.\n  2. Walk',
  ]);
});

test.each(['page', 'column'])('the words before and after the end of a %s', async (type) => {
  const rendered = '<w:r><w:lastRenderedPageBreak/></w:r>';
  const body = `<w:p><w:r><w:t>The ferry lea</w:t></w:r>${rendered}<w:r><w:t>ves at nine.</w:t><w:br w:type="${type}"/><w:t>Tickets are sold on board.</w:t></w:r></w:p>`;
  const [chunk] = await read(await made('ferry.docx', wordDocument(body)));
  expect(chunk?.content).toBe('The ferry leaves at nine.\nTickets are sold on board.');
});

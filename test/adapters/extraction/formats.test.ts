import { expect, test } from 'vitest';
import { useExtractor } from './support.ts';

const { extractor, fixture, made, read } = useExtractor();

const HANDBOOK = 'Halvorsen Kettle Warranty Handbook';
const REPORT = 'Lumen Harbour Ferry Company: Annual Report 2031';
const GUIDE = 'Tidewatch Sensor User Guide';
const ARTICLE = 'The Lighthouse Library of Marrow Point';

/** What the chunk with a text is from. */
const EXPECTED = {
  'warranty-handbook.docx': {
    'Part: Heating element; Warranty period: 5 years; Condition: Descaled': {
      heading: `${HANDBOOK} > Coverage > Warranty periods`,
    },
    'Making a claim\nClaims are handled': { heading: `${HANDBOOK} > Making a claim` },
    '3. Send the kettle, empty and dry,': { heading: `${HANDBOOK} > Making a claim` },
  },
  'warranty-handbook.odt': {
    'Part: Lid hinge; Warranty period: 2 years; Condition: None': {
      heading: `${HANDBOOK} > Coverage > Warranty periods`,
    },
  },
  'warranty-handbook.rtf': {
    '- scratches and discolouration': { heading: `${HANDBOOK} > Exclusions` },
  },
  'annual-report.pdf': {
    'Vessel: Petrel; Built: 2029; Passengers: 420': { page: 2, heading: `${REPORT} > Fleet` },
    'dividend of 2.40 crowns a share': { page: 3, heading: `${REPORT} > Finances` },
  },
  'annual-report-untagged.pdf': {
    'Revenue rose to 218 million crowns': { page: 3, heading: `${REPORT} > Finances` },
  },
  'project-heron.pptx': {
    '- Robots: 2.6 million euros': { slide: 4, heading: 'Costs' },
    'The licences were negotiated down from 390,000 euros.': { slide: 4, heading: 'Costs' },
  },
  'project-heron.odp': {
    'the works council agreed on 2 September': { slide: 2 },
  },
  'staff.xlsx': {
    'Employee: Bjorn Berg; Role: Captain; Home port: Osprey Island; Started: 2020-02-04; Hours a week: 32':
      { sheet: 'Employees', row: 1, rowEnd: 9 },
    'Employee: Nuno Okafor': { sheet: 'Employees', row: 34, rowEnd: 41 },
    'Department: Engineering; Personnel: 27500; Equipment: 19400; Total: 46900; Change: 12.4%': {
      sheet: 'Budget 2032',
      row: 1,
      rowEnd: 8,
    },
  },
  'staff.ods': {
    'Employee: Bjorn Berg; Role: Captain; Home port: Osprey Island; Started: 2020-02-04': {
      sheet: 'Employees',
      row: 1,
      rowEnd: 9,
    },
  },
  'staff.xls': {
    'Total: 46900; Change: 12.4%': { sheet: 'Budget 2032', row: 1, rowEnd: 8 },
  },
  'salt-road.epub': {
    'a keeper named Abelard Finch': { heading: 'The Keeper of Wells' },
  },
  'user-guide.md': {
    'title: Tidewatch Sensor User Guide; version: 4.2\n': { heading: GUIDE },
    '2. Fix the bracket with the four stainless screws': {
      heading: `${GUIDE} > Installation > Mounting the sensor`,
    },
    'tidewatch pair --code TW-4471': { heading: `${GUIDE} > Installation > Pairing` },
    'Signal: Amber, slow; Meaning: Battery below 15 percent': {
      heading: `${GUIDE} > Light signals`,
    },
    'At water temperatures between 4 and 20 degrees': { heading: `${GUIDE} > Maintenance` },
  },
  'article.html': {
    'By Oona Fairweather, 14 June 2031': { heading: ARTICLE },
    'Day: Friday; Opens: 13:00; Closes: 20:00': { heading: `${ARTICLE} > Opening hours` },
    'Children’s books': { heading: `${ARTICLE} > Ninety-one steps` },
  },
  'cities.csv': {
    'City: Brackwater; Country: Velland; Population: 98000; Founded: 1342; Mayor: Osei, Kwame': {
      row: 1,
      rowEnd: 8,
    },
    'Mayor: Anders "Andy" Vik': { row: 9, rowEnd: 11 },
  },
  'employees.csv': {
    'Name: Müller, Änne; Abteilung: Buchhaltung; Eintritt: 01.04.2019; Gehalt: 48.500,00': {
      row: 1,
      rowEnd: 4,
    },
  },
  'products.tsv': {
    'SKU: LMP-01; Product: Desk lamp "Halo"; Price: 39.90; Stock: 120': { row: 1, rowEnd: 5 },
  },
  'settings.json': {
    'server: host: 0.0.0.0; port: 8443; tls.certificate: /etc/ferry/tls.pem': { path: '$' },
    'berths[1]: name: Old Quay; maximumLengthMetres: 42; shorePower: false': { path: '$' },
  },
  'harbour.jsonl': {
    'time: 2031-08-04T08:15:00Z; level: error; component: payment; message: Card terminal': {
      line: 8,
      lineEnd: 13,
    },
  },
  'interview.srt': {
    'Anselm: Fourteen thousand two hundred, nearly twice as many': {
      startTime: '00:00:01,500',
      endTime: '00:00:43,550',
    },
  },
  'lecture.vtt': {
    'Prof. Adeyemi: So a cooler dough tastes milder & rises more slowly.': {
      startTime: '00:01:01,000',
      endTime: '00:01:42,800',
    },
  },
  'rate-limiter.ts': {
    'take(caller: string): boolean {': { line: 1, lineEnd: 30 },
    'sweep(): number {': { line: 28, lineEnd: 41 },
  },
  'inventory.py': { '    def receive(self, sku: str, quantity: int)': { line: 1, lineEnd: 35 } },
  'scheduler.go': { '\tsort.Slice(fleet,': { line: 1, lineEnd: 29 } },
  'letter.txt': { 'A tank with drinking water\nwill stand': { line: 1, lineEnd: 13 } },
  'vertrag.txt': { 'Die Wohnung „Möwennest“ liegt': { line: 1, lineEnd: 7 } },
  'recette.txt': { 'trois œufs et deux décilitres': { line: 1, lineEnd: 7 } },
  'aviso.txt': { '¿Necesita ayuda con la compra?': { line: 1, lineEnd: 5 } },
  'annai.txt': { 開館時間は午前九時から: { line: 1, lineEnd: 7 } },
  'tongzhi.txt': { '水温保持在二十六度。': { line: 1, lineEnd: 5 } },
  'annaemun.txt': { '연체료는 하루에 백 원입니다.': { line: 1, lineEnd: 5 } },
};

test.each(
  Object.entries(EXPECTED).flatMap(([file, texts]) =>
    Object.entries(texts).map(([text, origin]) => ({ file, text, origin })),
  ),
)('$file: $text', async ({ file, text, origin }) => {
  const chunks = await read(await fixture(`documents/${file}`));
  const found = chunks.filter(({ content }) => content.includes(text));
  expect(found.map((chunk) => chunk.origin)).toEqual([origin]);
});

test('leaves out what a web page does not say', async () => {
  const chunks = await read(await fixture('documents/article.html'));
  const text = chunks.map(({ content }) => content).join('\n');
  expect(text).not.toMatch(/SHOULD-NOT-APPEAR|Subscribe|font-family/);
});

test('a paragraph that only looks like a heading is none', async () => {
  const long = 'A very long heading. '.repeat(20);
  const chunks = await read(await made('long.md', `# Title\n\nText.\n\n# ${long}\n\nMore text.`));
  expect(chunks.map(({ origin }) => origin)).toEqual([{ heading: 'Title' }]);
});

test('tells the path of a value in a long JSON document', async () => {
  const chapters = Object.fromEntries(
    Array.from({ length: 9 }, (_, n) => [
      `chapter ${n}`,
      { title: `Title ${n}`, text: 'word '.repeat(200) },
    ]),
  );
  const chunks = await read(await made('book.json', JSON.stringify({ book: { chapters } })));
  const origins = chunks.map(({ origin }) => origin['path']);
  expect(origins).toContain('$.book.chapters["chapter 4"]');
});

test.each([
  ['documents/warranty-handbook.docx', 'docx', /wordprocessingml\.document$/],
  ['documents/staff.xlsx', 'xlsx', /spreadsheetml\.sheet$/],
  ['documents/annual-report.pdf', 'pdf', /^application\/pdf$/],
  ['documents/user-guide.md', 'markdown', /^text\/markdown$/],
  ['documents/harbour.jsonl', 'jsonl', /^application\/jsonl$/],
  ['documents/rate-limiter.ts', 'text', /^text\/plain$/],
  ['encodings/japanese-utf16le.txt', 'text', /^text\/plain$/],
])('identifies %s as %s', async (path, format, mimeType) => {
  expect(await extractor.identify(await fixture(path))).toEqual({
    format,
    mimeType: expect.stringMatching(mimeType),
    media: false,
  });
});

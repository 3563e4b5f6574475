import { expect, test } from 'vitest';
import { CHINESE_FONTS, madePdf } from '../../support/made-pdf.ts';
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
  'survey-manual.pdf': {
    'Plate: Bilge; Nominal: 10.0; Remark: see text\nPlate: Side shell; Nominal: 8.5; Minimum: 6.8\nPlate: Deck; Minimum: 5.6; Remark: teak':
      { page: 5, heading: 'Chapter 1 Inspection > 1.1 Thickness' },
    'def limit(nominal, share=0.8):\n    if nominal <= 0:\n        raise ValueError("nominal")\n\n    for step in range(3):\n        if step:\n            nominal -= 0.1\n':
      { page: 5, heading: 'Chapter 1 Inspection > 1.1 Thickness > 1.1.1 Gauges' },
    'About the author\nThe survey': { page: 3, heading: 'Preface > About the author' },
    '- Running rigging is inspected each spring, and whenever the boat has been in a storm': {
      page: 8,
      heading: 'Chapter 2 Rigging > 2.1 Shrouds',
    },
  },
  'dives.xlsx': {
    'First dive: 2031-02-14; Last dive: 2031-11-03; Checked: 2031-11-03 14:30; Depth: 31.50 m; Duration: 0:47':
      { sheet: 'Dives', row: 1, rowEnd: 3 },
    'Comment on E2: Gauge was recalibrated afterwards': { sheet: 'Dives', row: 1, rowEnd: 3 },
    'Region: South; 2024 / Q1: 201; 2025 / Q1: 203; 2025 / Q2: 204': {
      sheet: 'Sales',
      row: 1,
    },
    'Chart: Dives per season; Season; Dives\nNorth; Q1: 101; Q2: 102\nSouth; Q1: 201': {
      sheet: 'Sales',
      row: 1,
    },
  },
  'dives.ods': {
    'First dive: 2031-02-14; Last dive: 2031-11-03; Checked: 2031-11-03 14:30': {
      sheet: 'Dives',
      row: 1,
      rowEnd: 3,
    },
    'Comment on E2: Gauge was': { sheet: 'Dives', row: 1, rowEnd: 3 },
    'Region: North; 2024 / Q1: 101; 2024 / Q2: 102': { sheet: 'Sales', row: 1, rowEnd: 4 },
  },
  'dives.pptx': {
    'Chart: Dives per season; Season; Dives\nNorth; Q1: 101; Q2: 102': {
      slide: 2,
      heading: 'Goals',
    },
    'Comment by Rosa Lind: The second season is not complete.': { slide: 2, heading: 'Goals' },
  },
  'script.odt': { 'def a():\n    one = 1\n    if one:\n        two = 2': { heading: 'Scripts' } },
  'tide.txt': {
    'interpolated from neighbouring stations,': { line: 12, lineEnd: 20, heading: 'DESCRIPTION' },
    'daylight\n': { line: 23, lineEnd: 24, heading: 'DESCRIPTION > Time zones' },
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
    'server: host: 0.0.0.0; port: 8443; tls.certificate: /etc/ferry/tls.pem': { jsonPath: '$' },
    'berths[1]: name: Old Quay; maximumLengthMetres: 42; shorePower: false': { jsonPath: '$' },
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

test('leaves out running heads, page numbers and tables of contents', async () => {
  const chunks = await read(await fixture('documents/survey-manual.pdf'));
  for (const { content } of chunks) {
    expect(content).not.toMatch(/CHAPTER \d|\. \. \.|^Contents$|^\d+$/m);
  }
  // What is printed on every page is told once.
  const text = chunks.map(({ content }) => content).join('\n');
  expect(text.match(/Keelmark Survey Manual/g)).toHaveLength(1);
  const lines = await read(await fixture('documents/tide.txt'));
  expect(lines.map(({ content }) => content).join('\n')).not.toMatch(/Harbour Manual|tide 4\.2/);
});

test('keeps the few lines of a short page among others', async () => {
  const words = ['One', 'Two', 'Three', 'Four', 'Five', 'Six'];
  const pages = words.map((word) => ({ texts: [{ glyphs: `${word} alone.`, x: 50, y: 700 }] }));
  const chunks = await read(await made('short.pdf', madePdf(pages)));
  expect(chunks.map(({ content, origin }) => [content, origin.page])).toEqual(
    words.map((word, at) => [`${word} alone.`, at + 1]),
  );
});

test('the last page of a PDF that is only a heading', async () => {
  const line = (glyphs: string, y: number, size?: number) => ({
    glyphs,
    x: 60,
    y,
    ...(size && { size }),
  });
  const first = [
    line('Minutes', 780, 20),
    line('The board met on Monday at nine,', 740),
    line('and everybody was there.', 726),
  ];
  const pages = [{ texts: first }, { texts: [line('Annex', 780, 20)] }, { texts: [] }];
  const chunks = await read(await made('minutes.pdf', madePdf(pages)));
  expect(chunks.slice(1)).toEqual([{ content: 'Annex', origin: { page: 2, heading: 'Annex' } }]);
});

test('characters of a PDF by a character map that it only names', async () => {
  const pages = [{ texts: [{ glyphs: '海豚在港口游泳。', x: 50, y: 700 }] }];
  const chunks = await read(await made('chinese.pdf', madePdf(pages, CHINESE_FONTS)));
  expect(chunks.map(({ content }) => content)).toEqual(['海豚在港口游泳。']);
});

test.each([
  [
    'soft.txt',
    'infor\u00admation, depart\u00ad\n    ment store',
    'information, department\n    store',
  ],
  ['soft.html', '<p>infor&shy;mation</p>', 'information'],
  ['soft.md', 'infor\u00admation', 'information'],
  ['bold.txt', 'N\bNA\bAM\bME\bE and \x1b[1mbold\x1b[0m', 'NAME and bold'],
])('%s without what is only for display', async (name, content, text) => {
  const chunks = await read(await made(name, content));
  expect(chunks.map((chunk) => chunk.content)).toEqual([text]);
});

test('the caption of a table, and formulas and styles within a sentence', async () => {
  const page =
    '<p>The energy <math><mi>E</mi><mo>=</mo><mi>m</mi><annotation>\\mu</annotation></math> of' +
    ' 5<style>.unit{}</style> joules.</p>' +
    '<table><caption>Sizes</caption><tr><th>Name<th>Width<tr><td>A<td>3</table>' +
    '<table><caption>Ports<tr><th>Name<th>Port<tr><td>B<td>80</table>';
  const [chunk] = await read(await made('caption.html', page));
  expect(chunk?.content).toBe(
    'The energy E=m of 5 joules.\n\nSizes\nName | Width\nName: A; Width: 3\n\nPorts\nName | Port\nName: B; Port: 80',
  );
});

test('cells that span columns and rows of a web page', async () => {
  const page = `<table><tr><th rowspan=2>Region<th colspan=2>2024<tr><th>Q1<th>Q2
    <tr><td rowspan=2>North<td>1<td>2<tr><td>3<td></table>`;
  const [chunk] = await read(await made('spans.html', page));
  expect(chunk?.content.split('\n').slice(1)).toEqual([
    'Region | 2024 / Q1 | 2024 / Q2',
    'Region: North; 2024 / Q1: 1; 2024 / Q2: 2',
    'Region: North; 2024 / Q1: 3',
  ]);
});

test.each([
  [
    'header cells without text',
    '<thead><tr><th></th><th></th></tr></thead><tr><td>Question<td>32,000<tr><td>Files<td>20',
    'Question | 32,000\nFiles | 20',
  ],
  [
    'header cells in front of its rows',
    '<tr><th colspan=2>Berlin<tr><th>Country<td>Germany<tr><th>Area<td>891 km²',
    'Berlin\nCountry | Germany\nArea | 891 km²',
  ],
  [
    'labels in front of its rows',
    '<tr><td>Name:<td>Ann<tr><td>Room:<td>7',
    'Name: | Ann\nRoom: | 7',
  ],
])('a table of a web page with %s', async (_case, rows, text) => {
  const [chunk] = await read(await made('header.html', `<table>${rows}</table>`));
  expect(chunk?.content).toBe(text);
});

test('the dashes and spaces of RTF that have names', async () => {
  const text = String.raw`Monday\endash Friday, 2030\endash 2031\emdash at 5\~km. C:\\endash, co\_op.\par`;
  const [chunk] = await read(await made('dashes.rtf', `{\\rtf1\\ansi\\uc0 ${text}}`));
  expect(chunk?.content).toBe('Monday–Friday, 2030–2031—at 5 km. C:\\endash, co-op.');
});

test('lists of a web page that do not begin with 1, or are in a table', async () => {
  const page = `<ol start="5"><li>a<li>b<li value="9">c<li>d</ol>
    <table><tr><th>A<th>B<tr><td><ul><li>x<li>y</ul><td>z</table>`;
  const [chunk] = await read(await made('lists.html', page));
  expect(chunk?.content).toBe('5. a\n6. b\n9. c\n10. d\nA | B\nA: x y; B: z');
});

test.each([
  [
    'labels and values',
    [
      ['Tenant', 'Eva'],
      ['Rent', '900 EUR'],
      ['Room', 'Attic'],
    ],
    'Tenant | Eva\nRent | 900 EUR\nRoom | Attic',
  ],
  [
    'a bold header',
    [
      ['\\b Tenant\\b0', '\\b Flat\\b0'],
      ['Eva', 'Attic'],
    ],
    'Tenant | Flat\nTenant: Eva; Flat: Attic',
  ],
  [
    'values below a header',
    [
      ['Tenant', 'Rent'],
      ['Eva', '900'],
    ],
    'Tenant | Rent\nTenant: Eva; Rent: 900',
  ],
])('a table of a document with two columns: %s', async (_case, rows, text) => {
  const table = rows.map(([left, right]) => {
    return `\\trowd\\cellx2000\\cellx4000 ${left}\\cell ${right}\\cell\\row `;
  });
  const [chunk] = await read(await made('table.rtf', `{\\rtf1 ${table.join('')}\\pard end\\par}`));
  expect(chunk?.content).toBe(`${text}\n\nend`);
});

test('a header below what is said about a table', async () => {
  const [chunk] = await read(
    await made('sales.csv', 'Author,Ann,,\n,,,\nArea,Lead,Office,Sales\nNorth,Bob,Bonn,7\n'),
  );
  expect(chunk?.content).toBe(
    'Author | Ann\nArea | Lead | Office | Sales\nArea: North; Lead: Bob; Office: Bonn; Sales: 7',
  );
});

test.each([
  [
    'below a title',
    'Statement\nName;Amount\n"Ann";1,50\nBob, Eve;2,75\n',
    'Statement\nName | Amount\nName: Ann; Amount: 1,50\nName: Bob, Eve; Amount: 2,75',
    4,
  ],
  [
    'as its first line says',
    '\ufeffsep=;\r\nName;Size\r\na,b;1,5\r\n',
    'Name | Size\nName: a,b; Size: 1,5',
    2,
  ],
])('a table with a separator %s', async (_case, content, text, rowEnd) => {
  const chunks = await read(await made('separator.csv', content));
  expect(chunks).toMatchObject([{ content: text, origin: { row: 1, rowEnd } }]);
});

test('a row of a table that has more than a megabyte', async () => {
  const long = 'The tide is high. '.repeat(80_000);
  const chunks = await read(await made('long.csv', `id,text\n1,"${long}"\n2,short\n`));
  expect(chunks.at(-1)?.content).toContain('id: 2; text: short');
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
  const origins = chunks.map(({ origin }) => origin['jsonPath']);
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
    ...(format === 'pdf' && { images: 'pages' }),
  });
});

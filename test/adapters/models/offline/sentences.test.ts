import { expect, test } from 'vitest';
import { sentencesOf } from '../../../../src/adapters/models/offline/sentences.ts';

test.each([
  ['full stops', 'It rains. It pours! Does it?', ['It rains.', 'It pours!', 'Does it?']],
  ['titles', 'Dr. Smith met Mrs. Jones. They ate.', ['Dr. Smith met Mrs. Jones.', 'They ate.']],
  ['initials', 'J. R. Smith wrote it.', ['J. R. Smith wrote it.']],
  ['abbreviations', 'Fees, e.g. tolls, are paid.', ['Fees, e.g. tolls, are paid.']],
  ['numbered things', 'See Art. 5 and No. 12 of it.', ['See Art. 5 and No. 12 of it.']],
  ['ordinals', 'Am 3. Mai beginnt es. Gut so.', ['Am 3. Mai beginnt es.', 'Gut so.']],
  ['decimals', 'It costs 4.95 euros. Pay.', ['It costs 4.95 euros.', 'Pay.']],
  ['quotations', 'He said "Go." Then he left.', ['He said "Go."', 'Then he left.']],
  [
    'units',
    'Ouvert de 10 h à 18 h. Fermé le lundi.',
    ['Ouvert de 10 h à 18 h.', 'Fermé le lundi.'],
  ],
  [
    'Arabic',
    'كم السعر؟ السعر 380 ريالًا. الموقف مجاني.',
    ['كم السعر؟', 'السعر 380 ريالًا.', 'الموقف مجاني.'],
  ],
  ['Hindi', 'दुकान खुली है। कीमत 20 रुपये है।', ['दुकान खुली है।', 'कीमत 20 रुपये है।']],
  ['Japanese', '休みです。開きます。', ['休みです。', '開きます。']],
  [
    'table rows',
    'City: Bonn; River: Rhine\nCity: Ulm; River: Danube',
    ['City: Bonn; River: Rhine', 'City: Ulm; River: Danube'],
  ],
  ['names of columns', 'City | River\nCity: Bonn; River: Rhine', ['City: Bonn; River: Rhine']],
  ['list items', '- apples\n- pears', ['apples', 'pears']],
  ['a stop before what goes on', 'He (yes!) went on. So.', ['He (yes!) went on.', 'So.']],
  ['code', 'Start it:\n\n$ npm start\n\nThen wait.', ['Start it:', 'npm start', 'Then wait.']],
  [
    'a stop that stands alone',
    'Run docker build . && docker run.',
    ['Run docker build . && docker run.'],
  ],
  [
    'rows without a name for the first cell',
    'models; offline: words; for real: OpenAI\nlimits; offline: memory; for real: Redis',
    ['models; offline: words; for real: OpenAI', 'limits; offline: memory; for real: Redis'],
  ],
  ['nothing', ' \n\n---\n', []],
])('%s', (_, text, sentences) => {
  expect(sentencesOf(text).map(({ text }) => text)).toEqual(sentences);
});

test('lines that a layout wrapped are one sentence, paragraphs are not', () => {
  const text = `The guarantee covers all parts of the device and of its box that\nBoreal made, but not the battery.

Headings stand alone
The rest follows.`;
  expect(sentencesOf(text)).toMatchObject([
    {
      text: 'The guarantee covers all parts of the device and of its box that Boreal made, but not the battery.',
      announces: false,
    },
    { text: 'Headings stand alone', announces: true },
    { text: 'The rest follows.', announces: false },
  ]);
});

test('a line that is the heading of the text is a heading, whatever it looks like', () => {
  const [first] = sentencesOf('Retries, in seconds.\nThree.', ['Retries, in seconds.']);
  expect(first).toMatchObject({ text: 'Retries, in seconds.', announces: true });
});

test('each sentence of a list item knows the one that it is about', () => {
  const text = '- a is a size. It is small.\n  - b is within. So small.\n- c is another.';
  expect(sentencesOf(text).map(({ topic }) => topic)).toEqual([undefined, 0, 0, 2, undefined]);
});

test('headings and questions announce what follows them', () => {
  const text = '## Care\nWipe it.\nHow often?\nWeekly.';
  expect(sentencesOf(text).filter(({ announces }) => announces)).toMatchObject([
    { text: 'Care', announces: true },
    { text: 'How often?', announces: true },
  ]);
});

test('a row is told from what stands around it', () => {
  const text = 'Rivers\nCity: Bonn; River: Rhine\nAll of them are long.';
  expect(sentencesOf(text).map(({ isRow }) => isRow)).toEqual([false, true, false]);
});

test('no sentence is endless, and no word of it is lost', () => {
  const text = Array.from({ length: 500 }, (_, i) => `word${i}`).join(' ');
  const pieces = sentencesOf(text).map(({ text }) => text);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(400);
  expect(pieces.join(' ').replaceAll(' … …', '')).toBe(text);
  expect(pieces[0]).toMatch(/ …$/);
});

test.each([
  ['above', '--quiet\n    Write less.\n    Much less.\n\nMore text.', '--quiet'],
  ['beside', '-q     Write less.\n       Much less.\n\nMore text.', '-q'],
])('a label %s its explanation is told from it', (_, text, label) => {
  const explained = sentencesOf(text).filter((sentence) => sentence.label);
  expect(explained.map(({ text }) => text)).toEqual(['Write less.', 'Much less.']);
  expect(new Set(explained.map(({ label }) => label))).toEqual(new Set([label]));
});

test('a line that goes on in the next one is no label of it', () => {
  const text =
    'curl -H "Accept: text/plain" -H "Authorization: Bearer $KEY" \\\n  -d question=rates http://localhost:4000';
  expect(sentencesOf(text).filter(({ label }) => label)).toEqual([]);
});

test('a remark is the label of the code below it', () => {
  const [remark, code] = sentencesOf('// Look for errors\nconst found = find(errors);');
  expect(remark).toMatchObject({ announces: true });
  expect(code).toMatchObject({ isCode: true, label: 'Look for errors' });
});

import { expect, test } from 'vitest';
import { useExtractor } from './support.ts';

const { fixture, made, read } = useExtractor();

const TEXTS = {
  'french-utf16le-bom.txt': 'Tarte aux poireaux de la mère Églantine\n\nPour six personnes',
  'french-utf16be-bom.txt': 'Tarte aux poireaux de la mère Églantine\n\nPour six personnes',
  'french-utf16le.txt': 'Tarte aux poireaux de la mère Églantine\n\nPour six personnes',
  'french-utf16be.txt': 'Tarte aux poireaux de la mère Églantine\n\nPour six personnes',
  'japanese-utf16le.txt': '図書館の利用案内\n\n開館時間は午前九時',
  'japanese-shift-jis.txt': '図書館の利用案内\n\n開館時間は午前九時',
  'russian-windows-1251.txt': 'Правила пользования лодочной станцией',
  'german-latin1.txt': 'Mietvertrag über eine Ferienwohnung\n\nDie Wohnung "Möwennest"',
  'spanish-utf8-bom.txt': 'Aviso a los vecinos del edificio Ñandú',
};

test.each(Object.entries(TEXTS))('%s', async (file, beginning) => {
  const [chunk] = await read(await fixture(`encodings/${file}`));
  expect(chunk?.content.slice(0, beginning.length)).toBe(beginning);
});

/** Bytes of windows-1251, where capitals are in two columns and small letters in the next two. */
const cyrillic = (text: string) =>
  Buffer.from(text, 'utf16le')
    .filter((_, at) => at % 2 === 0)
    .map((byte, at) => (text.charCodeAt(at) > 0x400 ? byte + 0xb0 : byte));

test.each([
  ['three lines', 'Имя;Город\nИван;Москва\nАнна;Казань\n'],
  ['the same lines again and again', `Имя;Город${'\nИван;Москва\nАнна;Казань'.repeat(50)}`],
  ['numbers', 'Дата;Сумма;Контрагент\n01.02.2024;1500,00;ООО Ромашка'],
  ['capitals', 'ТЕКСТ ЗАГЛАВНЫМИ БУКВАМИ О ГАРАНТИИ'],
])('few words of Russian: %s', async (_, text) => {
  const [chunk] = await read(await made('words.txt', cyrillic(text)));
  expect(chunk?.content.slice(0, 20)).toBe(text.slice(0, 20));
});

test.each(['Päätös hyväksytään, määrä ja ääni.', 'Übergröße, süß', 'São João não é à mãe'])(
  'few words of Latin letters: %j',
  async (text) => {
    const [chunk] = await read(await made('words.txt', Buffer.from(text, 'latin1')));
    expect(chunk?.content).toBe(text);
  },
);

test('finds the first letter that is not ASCII, however late', async () => {
  const ascii = 'Nothing but ASCII in this line.\n'.repeat(20_000);
  const text = Buffer.from(
    `${ascii}Die Überfahrt dauert zwölf Minuten, für Kinder auch.`,
    'latin1',
  );
  const chunks = await read(await made('late.txt', text));
  expect(chunks.at(-1)?.content).toContain('Die Überfahrt dauert zwölf Minuten');
});

test('a damaged letter does not change the encoding', async () => {
  const text = Buffer.from('Äpfel, Öl und Übermut. '.repeat(50));
  const chunks = await read(await made('damaged.txt', Buffer.concat([text, Buffer.of(0xc3)])));
  expect(chunks[0]?.content).toContain('Äpfel, Öl und Übermut.');
  expect(chunks.at(-1)?.content).toMatch(/Übermut\. \ufffd$/);
});

test('believes what an HTML page says of itself', async () => {
  const page = '<meta charset="iso-8859-7"><p>\xc1\xe8\xde\xed\xe1</p>';
  const [chunk] = await read(await made('greek.html', Buffer.from(page, 'latin1')));
  expect(chunk?.content).toBe('Αθήνα');
});

test('takes out what is no text', async () => {
  const blanks = ' '.repeat(5000);
  const text = `one\0two\r\nthree\rfour\u0007 \u2028five${blanks}six\n\n\n\n\n\nseven`;
  const [chunk] = await read(await made('odd.txt', text));
  expect(chunk?.content).toBe('onetwo\nthree\nfour\nfive six\n\nseven');
});

test('mends lone surrogates of JSON', async () => {
  const [chunk] = await read(
    await made('surrogates.json', '{"name": "broken \\ud800 emoji \\u0000!"}'),
  );
  expect(chunk?.content).toBe('name: broken \ufffd emoji !');
});

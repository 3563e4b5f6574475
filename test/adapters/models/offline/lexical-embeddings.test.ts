import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createLexicalEmbeddings } from '../../../../src/adapters/models/offline/lexical-embeddings.ts';
import type { Vector } from '../../../../src/ports/language-model.ts';

const model = createLexicalEmbeddings();

test('a vector has 1536 dimensions and the length 1', async () => {
  const [vector = new Float32Array()] = await model.embedTexts(['The battery is covered.']);
  expect(vector).toBeInstanceOf(Float32Array);
  expect(vector).toHaveLength(1536);
  expect(cosine(vector, vector)).toBeCloseTo(1, 5);
});

test('a text without words has a vector of its own, for zero has no cosine', async () => {
  const [empty, ...others] = await model.embedTexts(['', ' \n', '!?', '—', 'battery']);
  const [blank, marks, dash, battery] = others;
  if (!empty || !battery) throw new Error('a vector is missing');
  expect([blank, marks, dash]).toEqual([empty, empty, empty]);
  expect(cosine(empty, empty)).toBeCloseTo(1, 5);
  expect(Math.abs(cosine(empty, battery))).toBeLessThan(0.2);
});

test('texts come back in their order, as many as were given', async () => {
  const texts = ['apple', 'pear', 'apple'];
  const [apple, pear, again] = await model.embedTexts(texts);
  expect(again).toEqual(apple);
  expect(pear).not.toEqual(apple);
  expect(await model.embedTexts([])).toEqual([]);
});

test.each([
  ['plurals', 'Are batteries guaranteed?', 'a battery has a guarantee', 'a kitchen has a window'],
  ['case', 'INVOICE NUMBER', 'the invoice number', 'the garden gate'],
  ['verb forms', 'cancelled orders', 'how to cancel an order', 'how to cook a lobster'],
  ['accents', 'resume du cote francais', 'résumé du côté français', 'le chien du voisin'],
  ['umlauts', 'Gruesse aus Muenchen', 'Grüße aus München', 'Fische aus Hamburg'],
  ['German compounds', 'Garantie', 'Die Garantiezeit ist lang.', 'Die Lieferzeit ist lang.'],
  ['open compounds', 'data base', 'our database', 'our basement'],
  ['typing errors', 'accomodation', 'our accommodation', 'our automation'],
  ['concepts', 'How heavy is the box?', 'It weighs a ton.', 'It costs a fortune.'],
  ['languages', 'Wie hoch ist der Preis?', 'price: 20 euros', 'river: Danube'],
  ['thousands', '12,500', '12.500', '13,500'],
  ['French', 'les chevaux', 'un cheval', 'un bateau'],
  ['Spanish', 'las líneas móviles', 'la linea movil', 'la casa vieja'],
  ['Japanese', '図書館の休館日', '休館日は毎週月曜日です', '駐車場は無料です'],
  ['Chinese', '火车站在哪里', '最近的火车站在龙泉县', '古镇不收门票'],
  ['Korean', '자전거를 빌리다', '자전거 대여 안내', '보증금은 없습니다'],
  ['Cyrillic', 'гарантия на телефон', 'Гарантия: два года', 'Погода хорошая'],
])('%s: "%s" is nearer to "%s" than to "%s"', async (_, question, related, unrelated) => {
  const asked = await model.embedQuestion(question);
  const [near = asked, far = asked] = await model.embedTexts([related, unrelated]);
  expect(cosine(asked, near)).toBeGreaterThan(cosine(asked, far) + 0.05);
});

test('rare words count more than frequent ones', async () => {
  const asked = await model.embedQuestion('What is the use of a theodolite?');
  const [rare = asked, frequent = asked] = await model.embedTexts([
    'Theodolite in a wooden box',
    'What is the use of it is a question of the time',
  ]);
  expect(cosine(asked, rare)).toBeGreaterThan(cosine(asked, frequent));
});

test('the vectors are those of lexical-1, on every machine', async () => {
  expect(model.name).toBe('lexical-1');
  const vectors = await model.embedTexts([
    'The battery is covered for two years, up to 12,500 kilometres.',
    'Die Kündigungsfrist beträgt drei Monate.',
    '図書館の休館日はいつですか。',
  ]);
  // New vectors do not compare with those that are stored: rename the model when this changes.
  expect(vectors.map(checksum)).toEqual([
    'a9545db77130e641',
    '97fbc2b2ba0b0292',
    '0b86b702faf14454',
  ]);
});

test('the event loop turns while many texts are embedded', async () => {
  let turns = 0;
  const counter = setInterval(() => turns++, 1);
  await model.embedTexts(manyTexts(800));
  clearInterval(counter);
  expect(turns).toBeGreaterThan(5);
});

test('the signal ends the work', async () => {
  const controller = new AbortController();
  const texts = manyTexts(20_000);
  const embedding = model.embedTexts(texts, controller.signal);
  setTimeout(() => controller.abort(new Error('gone')), 20);
  const begun = performance.now();
  await expect(embedding).rejects.toThrow('gone');
  expect(performance.now() - begun).toBeLessThan(1_000);
  await expect(model.embedQuestion('too late', controller.signal)).rejects.toThrow('gone');
});

test('it can always be used', async () => {
  await expect(model.check()).resolves.toBeUndefined();
});

function cosine(one: Vector, other: Vector): number {
  return one.reduce((sum, value, i) => sum + value * (other[i] ?? 0), 0);
}

/** Rounded, so that the last bit of a division does not matter. */
function checksum(vector: Vector): string {
  const rounded = Array.from(vector, (value) => Math.round(value * 1e6) || 0);
  return createHash('sha256').update(rounded.join()).digest('hex').slice(0, 16);
}

/** Texts of 200 words, 50 different ones. */
function manyTexts(count: number): string[] {
  const texts = Array.from({ length: 50 }, (_, text) =>
    Array.from({ length: 200 }, (_, i) => `word${(text * 31 + i * 17) % 9_973}`).join(' '),
  );
  return Array.from({ length: count }, (_, i) => texts[i % texts.length] ?? '');
}

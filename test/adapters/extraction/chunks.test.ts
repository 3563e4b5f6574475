import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base';
import { describe, expect, test } from 'vitest';
import { createChunker } from '../../../src/adapters/extraction/chunker.ts';
import { createTokenCounter } from '../../../src/adapters/extraction/count-tokens.ts';
import type { Origin, Passage } from '../../../src/adapters/extraction/passage.ts';
import type { ExtractedChunk } from '../../../src/ports/text-extractor.ts';

const DEFAULT = { chunkSize: 300, chunkOverlap: 20 };

const word = fc.oneof(
  { weight: 8, arbitrary: fc.stringMatching(/^[a-z]{1,9}$/) },
  { weight: 2, arbitrary: fc.stringMatching(/^[A-Z][a-z]{1,20}[,.;:!?]$/) },
  { weight: 1, arbitrary: fc.stringMatching(/^[0-9.,]{1,12}$/) },
  { weight: 1, arbitrary: fc.stringMatching(/^[\u4e00-\u9fff、。]{1,200}$/) },
  { weight: 1, arbitrary: fc.stringMatching(/^[A-Za-z0-9+/=]{1,300}$/) },
  { weight: 1, arbitrary: fc.stringMatching(/^[äöüßéñøłŠж½€"„“)(»«-]{1,30}$/) },
  { weight: 1, arbitrary: fc.stringMatching(/^[)\];.}{>=_*#/-]{1,90}$/) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('👩‍👩‍👧‍👦', '🏴󠁧󠁢󠁷󠁬󠁳󠁿', 'a'.repeat(500), '<|endoftext|>', "it's"),
  },
);
const passages = fc.array(
  fc.record({
    text: fc
      .array(fc.tuple(word, fc.constantFrom(' ', ' ', ' ', '', '  ', '\n')), { maxLength: 60 })
      .map((words) => words.flat().join('').trim()),
    gap: fc.constantFrom<Passage['gap']>('\n', '\n\n'),
    origin: fc.constantFrom<Origin>({}, {}, { heading: 'A' }, { heading: 'A > B' }, { page: 1 }),
  }),
  { minLength: 1, maxLength: 25 },
);
const sizes = fc.record({
  chunkSize: fc.integer({ min: 32, max: 300 }),
  chunkOverlap: fc.integer({ min: 0, max: 60 }),
});

describe('any text', () => {
  test('comes in chunks that are never too long, and cut no character', () => {
    fc.assert(
      fc.property(passages, sizes, (texts, size) => {
        for (const { content } of chunksOf(texts, size)) {
          expect(tokens(content)).toBeLessThanOrEqual(size.chunkSize);
          expect(content.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['Thai', 'ที่นี่มีเรือประมงจำนวนมากจอดอยู่ในท่าเรือและชาวประมงกำลังซ่อมแซมอวนของพวกเขา'],
    ['Vietnamese', 'e\u0323\u0302ta\u0309o\u031b\u0301'],
  ])('without spaces in %s is not cut between a letter and its marks', (_, words) => {
    for (const chunkSize of [10, 33, 150]) {
      const chunks = chunksOf([passage(words.repeat(60))], { chunkSize, chunkOverlap: 5 });
      expect(chunks.filter(({ content }) => /^\p{M}/u.test(content))).toEqual([]);
      for (const { content } of chunks) expect(tokens(content)).toBeLessThanOrEqual(chunkSize);
    }
  });

  test('is in the chunks as a whole and in its order', () => {
    fc.assert(
      fc.property(passages, sizes, (texts, { chunkSize }) => {
        // Without the headings that sections repeat.
        const plain = texts.map((text) => ({ ...text, origin: {} }));
        const chunks = chunksOf(plain, { chunkSize, chunkOverlap: 0 });
        const contents = chunks.map(({ content }) => content);
        expect(compact(contents)).toBe(compact(texts.map(({ text }) => text)));
      }),
    );
  });

  test('has the number of tokens that are counted, or hardly less', () => {
    fc.assert(
      fc.property(passages, (texts) => {
        const text = texts.map((passage) => passage.text).join('\n');
        const counted = createTokenCounter()(text);
        expect(counted).toBeGreaterThanOrEqual(tokens(text));
        if (!/\S{40}/.test(text)) expect(counted).toBe(tokens(text));
      }),
    );
  });

  test('are those of the tokenizer in ASCII text, whatever it is', () => {
    const count = createTokenCounter();
    const pieces = [..."aZ09 \n\r\t\v.,-'_\x01", "'ll", "'S", '  ', 'word', 'x'.repeat(30)];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (some) => {
        const text = some.join('');
        if (!/\S{49}/.test(text)) expect(count(text)).toBe(tokens(text));
      }),
    );
  });
});

describe('a chunk', () => {
  const sentence = (n: number) => `Sentence number ${n} tells that ferry ${n} leaves at noon.`;
  const prose = Array.from({ length: 400 }, (_, n) => sentence(n)).join(' ');

  test('repeats the last words of the one before', () => {
    const chunks = chunksOf([passage(prose)]);
    for (const [index, { content }] of chunks.slice(1).entries()) {
      const repeated = content.slice(0, content.indexOf('.') + 1);
      expect(chunks[index]?.content.endsWith(repeated)).toBe(true);
      expect(tokens(repeated)).toBeLessThanOrEqual(20);
    }
  });

  test('repeats nothing when it is told so', () => {
    const chunks = chunksOf([passage(prose)], { chunkSize: 300, chunkOverlap: 0 });
    expect(chunks.map(({ content }) => content).join(' ')).toBe(prose);
  });

  test('ends with a sentence', () => {
    for (const { content } of chunksOf([passage(prose)])) expect(content).toMatch(/noon\.$/);
  });

  test('is well filled, the last one too', () => {
    const filled = chunksOf([passage(prose)]).map(({ content }) => tokens(content));
    expect(Math.min(...filled)).toBeGreaterThan(75);
    expect(filled.reduce((sum, each) => sum + each) / filled.length).toBeGreaterThan(250);
  });

  test('ends with a paragraph where one ends in its second half', () => {
    const paragraphs = Array.from({ length: 30 }, (_, n) =>
      Array.from({ length: 5 }, (_, m) => sentence(10 * n + m)).join('\n'),
    );
    const lines = paragraphs.flatMap((text) =>
      text.split('\n').map((line, index) => passage(line, {}, index === 0 ? '\n\n' : '\n')),
    );
    for (const { content } of chunksOf(lines)) expect(content).toMatch(/number \d*4 .*$/);
  });

  test('begins with the heading of the section that it continues', () => {
    const chunks = chunksOf([passage(`Ferries\n${prose}`, { heading: 'Harbour > Ferries' })]);
    for (const { content } of chunks) expect(content).toMatch(/^Ferries\n/);
  });

  test.each([
    ['page', 1, 2],
    ['slide', 1, 2],
    ['sheet', 'A', 'B'],
  ])('never spans two %ss', (kind, first, second) => {
    const chunks = chunksOf([
      passage('One.', { [kind]: first }),
      passage('Two.', { [kind]: second }),
    ]);
    expect(chunks).toEqual([
      { content: 'One.', origin: { [kind]: first } },
      { content: 'Two.', origin: { [kind]: second } },
    ]);
  });

  test('spans short sections below a common heading, and is from that', () => {
    const chunks = chunksOf([
      passage('Questions\nMay I bring a dog?\nYes.', { heading: 'Guide > Questions > Dogs' }),
      passage('And a parrot?\nNo.', { heading: 'Guide > Questions > Parrots' }),
      passage(prose, { heading: 'Guide > Answers' }),
    ]);
    expect(chunks[0]).toEqual({
      content: 'Questions\nMay I bring a dog?\nYes.\n\nAnd a parrot?\nNo.',
      origin: { heading: 'Guide > Questions' },
    });
    expect(chunks[1]?.origin).toEqual({ heading: 'Guide > Answers' });
  });

  test('tells its first and its last row', () => {
    const rows = Array.from({ length: 100 }, (_, n) => ({
      ...passage(`City: Town ${n}; Population: ${n}000; Mayor: Somebody Else ${n}`, { row: n + 2 }),
      whole: true,
    }));
    const chunks = chunksOf(rows);
    for (const { content, origin } of chunks) {
      const [first = '', ...others] = content.split('\n');
      expect(first).toMatch(new RegExp(`^City: Town ${Number(origin['row']) - 2};`));
      expect(others.at(-1)).toMatch(new RegExp(`^City: Town ${Number(origin['rowEnd']) - 2};`));
    }
  });
});

function chunksOf(texts: Passage[], size = DEFAULT): ExtractedChunk[] {
  const chunker = createChunker(size);
  return [...chunker.add(texts), ...chunker.end()];
}

function passage(text: string, origin: Origin = {}, gap: Passage['gap'] = '\n\n'): Passage {
  return { text, origin, gap };
}

function tokens(text: string): number {
  return countTokens(text, { allowedSpecial: new Set(), disallowedSpecial: new Set() });
}

function compact(texts: string[]): string {
  return texts.join('').replace(/\s+/g, '');
}

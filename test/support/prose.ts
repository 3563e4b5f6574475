import { readFileSync } from 'node:fs';

const FIXTURES = ['letter.txt', 'user-guide.md', 'article.html', 'inventory.py', 'settings.json'];

/** Makes sentences of the words of some fixtures, always the same ones in the same order. */
export function createSentences(): () => string {
  const texts = FIXTURES.map((name) =>
    readFileSync(new URL(`../fixtures/documents/${name}`, import.meta.url), 'utf8'),
  );
  const words = texts.join(' ').match(/[A-Za-z]{2,}/g) ?? [];
  let state = 1;
  const random = (limit: number) => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * limit);
  };
  return () => {
    const chosen = Array.from({ length: 6 + random(16) }, () => words[random(words.length)]);
    const text = chosen.join(' ');
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  };
}

/** A text of about so many bytes, in blocks: it is never held whole. */
export function* prose(bytes: number): Generator<Buffer> {
  const sentence = createSentences();
  for (let left = bytes; left > 0; ) {
    let block = '';
    for (let at = 1; block.length < Math.min(64 * 1024, left); at++) {
      block += sentence() + (at % 5 === 0 ? '\n\n' : ' ');
    }
    left -= block.length;
    yield Buffer.from(block);
  }
}

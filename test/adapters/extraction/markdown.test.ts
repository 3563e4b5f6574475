import { describe, expect, test } from 'vitest';
import { useExtractor } from './support.ts';

const { made, read } = useExtractor();

describe('the text of', () => {
  test.each([
    ['characters by name', '&eacute;&#233;&notAName; &lt;b&gt;', 'éé&notAName; <b>'],
    ['a line with marks', 'A *b* **c** ~~d~~ `e  f` \\* &amp; <i>g</i>.', 'A b c d e  f * & g.'],
    ['lines that are one', 'One\ntwo  \nthree<br>four', 'One two\nthree\nfour'],
    [
      'links and images',
      '[a](/u) <https://b.c> ![d *e*](f) [g][h]\n\n[h]: /i',
      'a https://b.c d e g',
    ],
    ['an image in HTML', 'See <img src="a" alt=\'the map\'>.', 'See the map.'],
    ['a comment', 'Before <!-- hidden --> after.\n\n<!-- hidden -->', 'Before  after.'],
    [
      'lists',
      '- a\n  b\n  1. c\n  3. d\n- [x] e\n\n7) f\n8) g',
      '- a b\n  1. c\n  2. d\n- [x] e\n7. f\n8. g',
    ],
    [
      'an item of several blocks',
      '1. a\n\n   b\n\n   ```sh\n   c\n     d\n   ```\n2. e',
      '1. a\nb\nc\n  d\n2. e',
    ],
    ['quotes', '> a\nb\n\n> > c\n> - d', 'a b\n\nc\n- d'],
    ['a note', '> [!WARNING]\n> Hot.', 'WARNING: Hot.'],
    ['code', '```js\n  a\n\n\tb *c*\n```\n\n    d\n      e', '  a\n\n\tb *c*\n\nd\n  e'],
    ['code that is never closed', '~~~\na\n```\n# b', 'a\n```\n# b'],
    ['a table', 'A|B|C\n-|:-:|-\na\\|b||`c`\n', 'A | B | C\nA: a|b; C: c'],
    [
      'a row with more cells than columns',
      '> |A|B|\n> |-|-|\n> |a|b|c|d|',
      'A | B\nA: a; B: b; c; d',
    ],
    [
      'a table without names of columns',
      '| | |\n|-|-|\n| Question | 32,000 |\n| Files | 20 |\n',
      'Question | 32,000\nFiles | 20',
    ],
    [
      'a table with the name of one column',
      '| Right | |\n|-|-|\n| READ | lists |\n| ASK | questions |\n',
      'Right\nRight: READ; lists\nRight: ASK; questions',
    ],
    ['a table in a list', '- |A|B|\n  |-|-|\n  |a|b|', 'A | B\nA: a; B: b'],
    [
      'an HTML table',
      'T\n\n<table><tr><th>A<th>B\n\n<tr><td>a<td>b</table>',
      'T\nA | B\nA: a; B: b',
    ],
    ['folded HTML', '<details>\n<summary>a</summary>\n\n- *b*\n\n</details>', 'a\n- b'],
    [
      'a footnote',
      'A[^1] b[^no].\n\n[^1]: First\n\n    second\n\nEnd.',
      'A b[^no].\n\nFirst\n\nsecond\n\nEnd.',
    ],
    [
      'a footnote of a row',
      '|A|B|\n|-|-|\n|a[^N]|b|\n|c|d|\n\n[^n]: e',
      'A | B\nA: a; B: b\nA: c; B: d\n\ne',
    ],
    ['footnotes that refer to each other', 'A[^1]\n\n[^1]: b[^2]\n[^2]: c[^1]', 'A\n\nb\n\nc'],
    ['a footnote that nothing refers to', '[^1]: /a\n\nB', 'B\n\n/a'],
  ])('%s', async (_, markdown, text) => {
    const chunks = await read(await made('text.md', markdown));
    expect(chunks.map(({ content }) => content).join('\n\n')).toBe(text);
  });
});

describe('front matter', () => {
  test.each([
    [
      'values as they are written',
      'version: 1.10\ndate: 2031-02-03\ndraft: true',
      'version: 1.10; date: 2031-02-03; draft: true',
    ],
    [
      'lists and fields in fields',
      'tags: [a, "b, c"]\nby:\n  - d\nsite:\n  e: f',
      'tags: a, b, c; by: d; site.e: f',
    ],
    ['long values', 'a: >\n  b\n  c\nd: |\n  e\n  f', 'a: b c; d: e\nf'],
    ['broken YAML', 'title: A: b\nsize: 4', 'title: A: b; size: 4'],
    ['aliases, which could repeat a value without end', 'a: &x b\nc: *x', 'a: &x b; c: *x'],
    ['nothing', '', ''],
  ])('%s', async (_, yaml, about) => {
    const chunks = await read(await made('front.md', `---\n${yaml}\n---\n# Title\n\nText.`));
    const content = [about, 'Title', 'Text.'].filter(Boolean).join('\n');
    expect(chunks).toEqual([{ content, origin: { heading: 'Title' } }]);
  });

  test.each([
    ['a text between rules', '---\nA text.\n\n---\nEnd.', 'A text.\n\nEnd.'],
    ['a rule', '---\n\na: b\n\n---\n\nEnd.', 'a: b\n\nEnd.'],
    ['what is never closed', '---\na: b\n\nEnd.', 'a: b\n\nEnd.'],
  ])('is not %s', async (_, markdown, text) => {
    const [chunk] = await read(await made('rules.md', markdown));
    expect(chunk?.content).toBe(text);
  });
});

describe('headings', () => {
  test('of all kinds are above what follows', async () => {
    const markdown = 'One `a`\n===\n\n## [Two](/b) ##\n\n<h3 align="center">Three</h3>\n\nText.';
    expect(await read(await made('kinds.md', markdown))).toEqual([
      { content: 'One a\nTwo\nThree\nText.', origin: { heading: 'One a > Two > Three' } },
    ]);
  });

  test('in quotes and lists are above nothing else', async () => {
    const markdown = '# One\n\n> ## Two\n> a\n\n- ## Three\n\nb';
    const [chunk] = await read(await made('quoted.md', markdown));
    expect(chunk).toEqual({
      content: 'One\nTwo\n\na\n- Three\n\nb',
      origin: { heading: 'One' },
    });
  });
});

describe('a long file', () => {
  const sentence = 'The tide comes in twice a day, and goes out as often.\n';

  test('of code stays code', async () => {
    const code = Array.from({ length: 60_000 }, (_, n) => `# line ${n}\n\n  a *b* <c>\n`).join('');
    const file = await made('code.md', `# Title\n\n\`\`\`\`sh\n\`\`\`\n${code}\`\`\`\`\n\n*End*.`);
    const chunks = await read(file, { chunkOverlap: 0 });
    expect(new Set(chunks.map(({ origin }) => origin['heading']))).toEqual(new Set(['Title']));
    const text = chunks.map(({ content }) => content).join('\n');
    expect(text.match(/^# line \d+$/gm)).toHaveLength(60_000);
    expect(text.match(/^ {2}a \*b\* <c>$/gm)).toHaveLength(60_000);
    expect(text).toMatch(/\nEnd\.$/);
  });

  test.each([
    ['a paragraph', sentence.repeat(100_000)],
    ['a line', sentence.trimEnd().repeat(100_000)],
  ])('of %s is there as a whole', async (_, text) => {
    const chunks = await read(await made('long.md', text), { chunkOverlap: 0 });
    const words = chunks
      .map(({ content }) => content)
      .join(' ')
      .match(/often/g);
    expect(words).toHaveLength(100_000);
  });

  test('of many rows in HTML', async () => {
    const rows = '<tr><td>a<td>b'.repeat(150_000);
    const chunks = await read(await made('rows.md', `<table>${rows}</table>`));
    expect(chunks.at(-1)?.content).toMatch(/a: a; b: b$/);
  });

  test.each([
    ['quotes', `${'>'.repeat(5_000)} end`],
    ['items', `${'- '.repeat(5_000)} end`],
    ['lists', Array.from({ length: 300 }, (_, n) => `${'  '.repeat(n)}- a end`).join('\n')],
    ['images', `${'!['.repeat(5_000)} end ${'](a)'.repeat(5_000)}`],
  ])('of many %s in each other loses nothing', async (_, markdown) => {
    const chunks = await read(await made('deep.md', markdown));
    const text = chunks.map(({ content }) => content).join('\n');
    expect(text.match(/\bend\b/g)?.length).toBeGreaterThanOrEqual(markdown.split('end').length - 1);
  });
});

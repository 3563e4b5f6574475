import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { AnswerQuestionDocument } from '../../src/generated/graphql.ts';
import { type Client, newCustomer } from '../support/client.ts';
import { deltasOf, parseEvents } from '../support/events.ts';
import { startBeside, type TestGateway } from '../support/gateway.ts';
import { answerOf, askOverSse } from '../support/graphql.ts';
import { KEY, type OpenAiDouble, startOpenAiDouble } from '../support/openai-double.ts';

/* What becomes of the marks that a model writes behind its statements. */

const asked = { datasetId: 'docs', question: 'Who is quick, and who is lazy?' };
const FOX = 'The quick brown fox jumps over the fence.';
const DOG = 'The lazy dog sleeps for 12 hours.';

let double: OpenAiDouble;
let gateway: TestGateway;
let customer: Client;
/** The numbers of the documents. */
let fox: number;
let dog: number;

beforeAll(async () => {
  double = await startOpenAiDouble();
  gateway = await startBeside({ OPENAI_BASE_URL: double.url, OPENAI_API_KEY: KEY });
  customer = await newCustomer(gateway);
  await customer.upload('docs', { 'fox.txt': FOX, 'dog.txt': DOG });
  const { sources } = await answer([FOX]);
  const names = sources.map(({ originalName }) => originalName);
  [fox, dog] = [names.indexOf('fox.txt') + 1, names.indexOf('dog.txt') + 1];
});
afterEach(() => double.mend());
afterAll(async () => {
  await gateway.close();
  await double.close();
});

async function answer(pieces: string[]) {
  double.behave({ say: pieces });
  const { data } = await customer.graphql(AnswerQuestionDocument, asked);
  return data.answerQuestion;
}

/** The text, and each statement with its file; a file in brackets does not support it. */
async function cited(...pieces: string[]) {
  const { result, citations } = await answer(pieces);
  return [
    result,
    ...citations.map(({ start, end, supported, hit: { originalName } }) => {
      const file = originalName.replace('.txt', '');
      return `${result.slice(start, end)} ${supported ? file : `(${file})`}`;
    }),
  ];
}

const mark = (...documents: number[]) =>
  documents.map((document) => `[[doc:${document}]]`).join('');

describe('a mark is taken out of the text, and cites the statement before it:', () => {
  test('behind the full stop or before it', async () => {
    const text = `${FOX} ${mark(fox)} The lazy dog sleeps${mark(dog)}. That is all.`;
    expect(await cited(text)).toEqual([
      `${FOX} The lazy dog sleeps. That is all.`,
      `${FOX} fox`,
      'The lazy dog sleeps dog',
    ]);
  });

  test('two in one sentence cite its parts', async () => {
    expect(await cited(`The fox jumps ${mark(fox)}, the lazy dog sleeps ${mark(dog)}.`)).toEqual([
      'The fox jumps, the lazy dog sleeps.',
      'The fox jumps fox',
      'the lazy dog sleeps dog',
    ]);
  });

  test('in lists, with Markdown', async () => {
    const text = `Animals:\n\n- The **fox** is quick ${mark(fox)}\n- The dog is lazy ${mark(dog)}\n`;
    expect(await cited(text)).toEqual([
      'Animals:\n\n- The **fox** is quick\n- The dog is lazy\n',
      'The **fox** is quick fox',
      'The dog is lazy dog',
    ]);
  });

  test('several documents of one statement are several citations', async () => {
    const both = 'The fox is quick, and the dog is lazy.';
    for (const marks of [mark(fox, dog), `${mark(fox)}, ${mark(dog)}`, `[[doc:${fox}, ${dog}]]`]) {
      expect(await cited(`${both} ${marks} Yes.`)).toEqual([
        `${both} Yes.`,
        ...[`${both} fox`, `${both} dog`],
      ]);
    }
  });

  test('a blank stays between words', async () => {
    expect(await cited(`The fox is quick ${mark(fox)}indeed.`)).toEqual([
      'The fox is quick indeed.',
      'The fox is quick fox',
    ]);
  });

  test('variants of models are understood', async () => {
    for (const variant of [
      '[[Doc 1]]',
      '[[doc: 1]]',
      '[[document:1]]',
      '[[ doc:1 ]]',
      '[[doc#1]]',
    ]) {
      expect((await answer([`${FOX} ${variant}`])).result).toBe(FOX);
    }
  });

  test('offsets count UTF-16 code units', async () => {
    const result = `🦊 Füchse 狐狸很快。 🐕 ${DOG}`;
    const [text, ...statements] = await cited(
      `🦊 Füchse 狐狸很快。${mark(fox)} 🐕 ${DOG}${mark(dog)}`,
    );
    expect(text).toBe(result);
    expect(statements).toEqual(['🦊 Füchse 狐狸很快。 (fox)', `🐕 ${DOG} dog`]);
  });
});

test('what the passage does not carry is not supported', async () => {
  expect(
    await cited(
      `The lazy dog sleeps for 13 hours. ${mark(dog)} `,
      `The fox won the Nobel Prize. ${mark(fox)} ${DOG} ${mark(fox)}`,
    ),
  ).toEqual([
    `The lazy dog sleeps for 13 hours. The fox won the Nobel Prize. ${DOG}`,
    'The lazy dog sleeps for 13 hours. (dog)',
    'The fox won the Nobel Prize. (fox)',
    `${DOG} (fox)`,
  ]);
});

test.each([0, 3, 999])('a mark that leads to no document is dropped: %i', async (document) => {
  expect(await cited(`${FOX} ${mark(document)} Yes.`)).toEqual([`${FOX} Yes.`]);
  expect(await cited(`${FOX} ${mark(document, fox)} Yes.`)).toEqual([`${FOX} Yes.`, `${FOX} fox`]);
});

test.each([
  'In JavaScript, list[1] and matrix[[1]] are values, and [] is none of them.',
  'See [1], [^1], [the manual](https://example.com/[1]) and [1](https://example.com).',
  'Wikis link [[Documents]], [[doc]] and [[doc:x]], models 【1】; [[doc:]] names nothing.',
  'An array of arrays: [[1, 2], [3, 4]], and [ [doc:1] ].',
  'It ends with brackets [[',
])('text that is no mark stays: %s', async (text) => {
  expect(await cited(text)).toEqual([text]);
  expect(await cited(...text)).toEqual([text]);
});

test('a mark that is cut off at the end is dropped', async () => {
  expect(await cited(`${FOX} ${mark(fox)} Yes. [[doc:`)).toEqual([`${FOX} Yes.`, `${FOX} fox`]);
});

test('an answer of marks only is empty, which is a failure', async () => {
  double.behave({ say: [mark(fox), ' ', mark(dog)] });
  const { errors } = await customer.graphql(AnswerQuestionDocument, asked);
  expect(errors).toMatchObject([{ extensions: { code: 'INTERNAL' } }]);
});

describe('what a model thinks before it answers', () => {
  const thoughts = () => `<think>\nThe dog barks. ${mark(dog)} Or <b>not</b>?\n</think>\n\n`;

  test('is not in the answer, and cites nothing, wherever the stream is cut', async () => {
    const expected = [FOX, `${FOX} fox`];
    const text = `${thoughts()}${FOX} ${mark(fox)}`;
    expect(await cited(text)).toEqual(expected);
    expect(await cited(...text)).toEqual(expected);
    expect(await cited('\n', '<think>', '</think>', text)).toEqual(expected);
  });

  test('is no answer', async () => {
    double.behave({ say: [thoughts()] });
    const { errors } = await customer.graphql(AnswerQuestionDocument, asked);
    expect(errors).toMatchObject([{ extensions: { code: 'INTERNAL' } }]);
  });

  test.each(['<think', '<thinking> is a tag.', 'A <think>tag</think>.'])(
    'is not %j',
    async (text) => {
      expect(await cited(text)).toEqual([text]);
      expect(await cited(...text)).toEqual([text]);
    },
  );
});

describe('a stream that is cut anywhere', () => {
  const write = () => `${FOX} ${mark(fox)} ${DOG} ${mark(dog)}${mark(fox)}, list[1] ends.`;

  test('gives the same answer', async () => {
    const text = write();
    const whole = await cited(text);
    expect(whole).toEqual([
      `${FOX} ${DOG}, list[1] ends.`,
      ...[`${FOX} fox`, `${DOG} dog`, `${DOG} (fox)`],
    ]);
    const first = text.indexOf('[[') - 2;
    for (let at = first; at < first + mark(fox).length + 4; at++) {
      expect(await cited(text.slice(0, at), text.slice(at))).toEqual(whole);
    }
    expect(await cited(...text)).toEqual(whole);
  });

  test('a citation follows the delta that ends its statement', async () => {
    double.behave({ say: [...write()] });
    const { events } = await askOverSse(customer, asked);
    let sent = 0;
    const citations: object[] = [];
    for (const { data } of events.slice(1, -1)) {
      const event = data.data?.askQuestion;
      if (!event) continue;
      if ('delta' in event) sent += event.delta.length;
      if ('citation' in event) {
        expect(event.citation.end).toBeLessThanOrEqual(sent);
        citations.push(event.citation);
      }
    }
    expect(citations).toHaveLength(3);
    expect(events.at(-2)?.data.data?.askQuestion).toEqual({ result: answerOf(events) });
  });

  test('REST has the clean text, in deltas of at least 30 characters', async () => {
    double.behave({ say: [...write()] });
    const { body } = await customer.rest('POST', '/query', asked);
    const deltas = deltasOf(parseEvents(body));
    expect(deltas.join('')).toBe(`${FOX} ${DOG}, list[1] ends.`);
    expect(deltas.slice(0, -1).filter((delta) => delta.length < 30)).toEqual([]);
    const whole = await customer.rest('POST', '/query', { ...asked, stream: false });
    expect(Object.keys(whole.body.data)).toEqual(['result', 'sources']);
    expect(whole.body.data.result).toBe(deltas.join(''));
  });
});

test('text is held back only while it can be a mark', async () => {
  const said = `${FOX} ${mark(fox)} And`;
  double.behave({ say: [...said, 'x'.repeat(30)], pace: 1 });
  const { body } = await customer.rest('POST', '/query', asked);
  expect(deltasOf(parseEvents(body))[0]).toBe(FOX.slice(0, 30));
});

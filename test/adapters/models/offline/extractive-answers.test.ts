import { expect, test } from 'vitest';
import { createExtractiveAnswers } from '../../../../src/adapters/models/offline/extractive-answers.ts';
import type { AnswerPiece } from '../../../../src/core/citation-marks.ts';
import type { Prompt } from '../../../../src/ports/language-model.ts';
import { EMPTY_CONTEXT } from '../../../../src/use-cases/questions/prompt.ts';
import { textsOf } from '../../../support/answer-pieces.ts';

const model = createExtractiveAnswers();
const DO_NOT_KNOW = 'I do not know: the documents do not say.';

const WARRANTY =
  'Keep the device dry. The battery is covered for two years. The screen is covered for one year.';
const CITIES =
  'City: Berlin; Population: 3700000; River: Spree\nCity: Paris; Population: 2100000; River: Seine';
const FAQ = `## How long does delivery take?

Two to four working days within Belgium.

## Can I send something back?

Yes, within 30 days, unused and in its box.`;
const FLEET =
  'The Kittiwake was repaired.\nVessel: Petrel; Built: 2029\nVessel: Heron; Built: 2030';
const HAUSORDNUNG = 'Die Nachtruhe gilt von 22 bis 6 Uhr. Hunde sind am 3. Mai nicht erlaubt.';
const GATEWAY = `A gateway to files.

npm ci && npm start     # runs the gateway
npm ci && npm test      # runs all tests

With that, ask:

curl -d '{"question": "How do I start the gateway?"}' http://127.0.0.1:4000/v1/query`;
const OPTIONS = `OPTIONS
  -q, --quiet
      Write less. Errors are written all the same.

  --retries
      How often a download is tried again. Default: 3`;
const RECETTE =
  'Le gâteau doit cuire pendant quarante-cinq minutes à 180 degrés. La crème est servie froide.';
const RECETA = 'La masa debe reposar dos horas en la nevera. La crema se sirve fría.';
const BUECHEREI = '休館日は毎週月曜日です。本は一人10冊まで借りられます。';

test.each([
  ['How long is the battery covered?', 'The battery is covered for two years.'],
  ['for how many years are batteries covered', 'The battery is covered for two years.'],
  ['battery is covered', 'The battery is covered for two years.'],
  ['What is the population of Paris?', 'City: Paris; Population: 2100000; River: Seine'],
  ['How long does a delivery take?', 'Two to four working days within Belgium.'],
  ['Wann ist Nachtruhe?', 'Die Nachtruhe gilt von 22 bis 6 Uhr.'],
  ['Sind Hunde im Mai erlaubt?', 'Hunde sind am 3. Mai nicht erlaubt.'],
  [
    'Combien de temps le gâteau doit-il cuire ?',
    'Le gâteau doit cuire pendant quarante-cinq minutes à 180 degrés.',
  ],
  ['¿Cuánto tiempo debe reposar la masa?', 'La masa debe reposar dos horas en la nevera.'],
  ['休館日はいつですか。', '休館日は毎週月曜日です。'],
  ['How do I start the gateway?', 'npm ci && npm start # runs the gateway'],
  ['What is the default of --retries?', 'Default: 3'],
])('%s', async (question, sentence) => {
  expect(await ask(question)).toContain(`"${sentence}"`);
});

test('names the file of what it quotes', async () => {
  expect(await ask('How long is the battery covered?')).toMatch(
    /^According to warranty\.docx: "The battery is covered for two years\."/,
  );
});

test('names the label that a sentence stands below', async () => {
  expect(await ask('What does --quiet do?')).toBe(
    'According to options.txt (-q, --quiet): "Write less." "Errors are written all the same."',
  );
});

const SHIPPING = `Q: Do you ship to Norway?
A: No. We ship to the European Union and Switzerland only.

Q: Is the park open?
A: Yes.`;

test.each([
  [
    'Do you ship to Norway?',
    'According to faq.txt (Q: Do you ship to Norway?): "A: No." "We ship to the European Union and Switzerland only."',
  ],
  [
    'Do you ship to Switzerland?',
    'According to faq.txt: "We ship to the European Union and Switzerland only."',
  ],
  ['Is the park open?', 'According to faq.txt (Q: Is the park open?): "A: Yes."'],
  ['Is the park closed?', DO_NOT_KNOW],
])('a bare yes or no answers its own question: %s', async (question, answer) => {
  expect(await answerOf(prompt(question, { 'faq.txt': SHIPPING }))).toBe(answer);
});

test('completes a sentence that announces what follows', async () => {
  const text = 'Install the pump with npm:\n\nnpm i pump\n\nThen call it.';
  const answer = await answerOf(prompt('How do I install the pump?', { 'pump.md': text }));
  expect(answer).toContain('npm i pump');
});

const PROXY = `Load balancing
- policy tells how a server is chosen. Default: random.
- retries tells how often a server is tried again. Default: 3.
  - 0 disables it, which is what most people want
The HTTP_PROXY_BYPASS variable lists servers that need no proxy.
See the load balancing page for how a server is chosen.

maxRetryDelay

The longest pause. Default: 250ms`;

test.each([
  [
    'what a list item is about stands before it',
    'What is the default of the policy?',
    'Default: random.',
  ],
  [
    'a default that is asked for in other words',
    'How often is a server tried again if I do not set it?',
    'Default: 3.',
  ],
  [
    'an item within an item',
    'How can I turn off retries?',
    '0 disables it, which is what most people want',
  ],
  ['a setting of one name', 'What is the default of maxRetryDelay?', 'Default: 250ms'],
  ['a variable', 'Which environment variable lists servers without proxy?', 'HTTP_PROXY_BYPASS'],
])('finds %s', async (_, question, found) => {
  expect(await answerOf(prompt(question, { 'proxy.md': PROXY }))).toContain(found);
});

test('does not send the reader elsewhere', async () => {
  const answer = await answerOf(prompt('How is a server chosen?', { 'proxy.md': PROXY }));
  expect(answer).not.toMatch(/^According to proxy.md[^"]*"See/);
});

test('a command answers alone', async () => {
  expect(await ask('How do I start the gateway?')).toBe(
    'According to gateway.md: "npm ci && npm start # runs the gateway"',
  );
});

const INSTALL = `Install

On Debian and Ubuntu:

sudo apt install pumpctl

With Go:

go install example.org/pumpctl@latest

Deploy

helm upgrade --install pumpctl ./chart`;

test.each([
  ['How do I install pumpctl?', '"sudo apt install pumpctl"'],
  ['How do I install pumpctl with Go?', '"go install example.org/pumpctl@latest"'],
  ['How do I deploy with Helm?', '"helm upgrade --install pumpctl ./chart"'],
  [
    'How do I install pumpctl on Ubuntu?',
    '(Install): "On Debian and Ubuntu: sudo apt install pumpctl"',
  ],
])('the command of a page that has several: %s', async (question, command) => {
  const answer = await answerOf(prompt(question, { 'pump.md': INSTALL }));
  expect(answer.endsWith(command)).toBe(true);
  expect(answer.match(/install/g)?.length).toBeLessThan(2);
});

test('an identifier is found as a whole', async () => {
  const text = 'The max_size option limits bodies.\n\nThe max_header_size option limits headers.';
  const answer = await answerOf(prompt('What does max_size do?', { 'limits.md': text }));
  expect(answer).toMatch(/^According to limits.md: "The max_size option/);
});

test('the name of what most of the dataset is about need not stand in the answer', async () => {
  const asked = {
    ...prompt('Which systems is Keelson tested on?', {
      'ci.md': 'It is tested on two systems: Linux and macOS.',
    }),
    documentFrequencies: async (words: string[]) => ({
      chunkCount: 100,
      counts: words.map((word) => (word === 'keelson' ? 50 : 5)),
    }),
  };
  expect(await answerOf(asked)).toContain('Linux and macOS');
});

test('quotes a whole sentence rather than its end with which the next chunk begins', async () => {
  const sources = [
    'Wipe the pump weekly with a dry cloth.',
    'weekly with a dry cloth. Oil it.',
  ].map((pageContent) => ({ score: 1, pageContent, metadata: { originalName: 'pump.md' } }));
  const answer = await answerOf({ ...prompt('With what cloth weekly?', {}), sources });
  expect(answer).toBe('According to pump.md: "Wipe the pump weekly with a dry cloth."');
});

test('what is rare in the dataset counts more than what is common', async () => {
  const texts = { 'a.txt': 'The pump is checked daily.', 'b.txt': 'The valve is greased.' };
  const asked = {
    ...prompt('Is the pump greased?', texts),
    documentFrequencies: async (words: string[]) => ({
      chunkCount: 1_000,
      counts: words.map((word) => (word === 'pump' ? 900 : 1)),
    }),
  };
  expect(await answerOf(asked)).toContain('The valve is greased.');
});

test.each([
  ['How long is the battery covered?', '"The battery is covered for two years."'],
  ['How long is the keyboard covered?', DO_NOT_KNOW],
])('of a single chunk: %s', async (question, answer) => {
  const asked = {
    ...prompt(question, { 'warranty.txt': WARRANTY }),
    documentFrequencies: async (words: string[]) => ({
      chunkCount: 1,
      counts: words.map((word) => Number(WARRANTY.includes(word))),
    }),
  };
  expect(await answerOf(asked)).toContain(answer);
});

test.each([
  ['a name that no document has', 'What is the population of Nairobi?'],
  ['a thing that the documents do not tell', 'How much does the battery weigh?'],
  ['a year that no document has', 'Was the battery covered in 1987?'],
  ['nothing in common', 'Who wrote Don Quixote?'],
  ['function words only', 'What is it about?'],
  ['no words', '???'],
  ['what a table tells of others only', 'When was the Kittiwake built?'],
  ['another thing of a known name', 'Wer ist der Bürgermeister von Berlin?'],
  ['Japanese', '富士山の高さは何メートルですか。'],
])('does not know: %s', async (_, question) => {
  expect(await ask(question)).toBe(DO_NOT_KNOW);
});

test('does not know when there are no sources', async () => {
  expect(await answerOf(prompt('How long is the battery covered?', {}))).toBe(DO_NOT_KNOW);
});

test('quotes a sentence once, however many chunks have it', async () => {
  const question = 'How long is the battery covered?';
  const answer = await answerOf(prompt(question, { 'a.md': WARRANTY, 'b.md': WARRANTY }));
  expect(answer.match(/two years/g)).toHaveLength(1);
});

test('a source without a file name is still quoted', async () => {
  const source = { score: 1, pageContent: WARRANTY, metadata: {} };
  const asked = { ...prompt('How long is the battery covered?', {}), sources: [source] };
  expect(await answerOf(asked)).toContain('"The battery is covered for two years."');
});

test('a quotation cites the document that it is from', async () => {
  const asked = prompt('How long is the battery covered?', {
    'other.txt': 'Kettles are covered, too.',
    'warranty.docx': WARRANTY,
  });
  const pieces = await Array.fromAsync(model.answer(asked, new AbortController().signal));
  const quotation = '"The battery is covered for two years."';
  const at = pieces.findIndex((piece) => typeof piece !== 'string');
  expect(textsOf(pieces.slice(0, at)).join('').endsWith(quotation)).toBe(true);
  expect(pieces[at]).toEqual({ documents: [2], statementLength: quotation.length });
});

test('streams in small pieces that make up the whole, the same every time', async () => {
  const asked = prompt('How long is the battery covered?');
  const pieces = await Array.fromAsync(model.answer(asked, new AbortController().signal));
  expect(pieces.length).toBeGreaterThan(5);
  expect(Math.max(...textsOf(pieces).map((piece) => piece.length))).toBeLessThan(30);
  expect(textsOf(pieces).join('')).toBe(await ask('How long is the battery covered?'));
});

test('Japanese, which has no spaces, is streamed in small pieces as well', async () => {
  const asked = prompt('休館日はいつですか。', {
    'long.md': `休館日は${'毎週月曜日と'.repeat(30)}です。`,
  });
  const pieces = await Array.fromAsync(model.answer(asked, new AbortController().signal));
  expect(Math.max(...textsOf(pieces).map((piece) => piece.length))).toBeLessThan(30);
});

test('the signal ends the answer at once', async () => {
  const controller = new AbortController();
  const pieces: AnswerPiece[] = [];
  const reading = async () => {
    const question = prompt('How long is the battery covered?');
    for await (const piece of model.answer(question, controller.signal)) {
      pieces.push(piece);
      if (pieces.length === 2) controller.abort(new Error('gone'));
    }
  };
  await expect(reading()).rejects.toThrow('gone');
  expect(pieces).toHaveLength(2);
});

test('a signal that came before yields nothing', async () => {
  const answer = model.answer(prompt('battery?'), AbortSignal.abort(new Error('gone')));
  await expect(answer[Symbol.asyncIterator]().next()).rejects.toThrow('gone');
});

test.each([
  ['many words', Array.from({ length: 4_000 }, (_, i) => `word${i}`).join(' ')],
  ['one letter', 'a'.repeat(32_000)],
  ['what asks for a default', 'if not set '.repeat(2_900)],
])('a question of 32,000 characters is answered in time: %s', async (_, question) => {
  const begun = process.cpuUsage();
  await ask(question);
  // Of computing, as other processes may have the machine.
  expect(process.cpuUsage(begun).user / 1000).toBeLessThan(1_000);
});

function ask(question: string): Promise<string> {
  return answerOf(
    prompt(question, {
      'warranty.docx': WARRANTY,
      'cities.csv': CITIES,
      'faq.md': FAQ,
      'fleet.pdf': FLEET,
      'hausordnung.pdf': HAUSORDNUNG,
      'gateway.md': GATEWAY,
      'options.txt': OPTIONS,
      '図書館.md': BUECHEREI,
      'recette.txt': RECETTE,
      'receta.txt': RECETA,
    }),
  );
}

function prompt(
  question: string,
  files: Record<string, string> = { 'warranty.docx': WARRANTY },
): Prompt {
  const sources = Object.entries(files).map(([originalName, pageContent]) => ({
    score: 0.5,
    pageContent,
    metadata: { originalName },
  }));
  const instructions = 'Use the context only.';
  return { instructions, message: question, question, ...EMPTY_CONTEXT, sources };
}

async function answerOf(asked: Prompt): Promise<string> {
  const pieces = await Array.fromAsync(model.answer(asked, new AbortController().signal));
  return textsOf(pieces).join('');
}

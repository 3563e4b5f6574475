import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Prompt } from '../../src/ports/language-model.ts';
import { type Client, newCustomer } from '../support/client.ts';
import { createFaults } from '../support/faults.ts';
import { startBeside, type TestGateway } from '../support/gateway.ts';

/* What POST /v1/query hands to the model, beside the chunks that match best. */

const faults = createFaults();
let gateway: TestGateway;
let customer: Client;

const STEPS = [
  'First the tank is emptied into the old barrel.',
  'Then the lid is opened by two strong people.',
  'The zeppelin valve is turned to the left side.',
  'After that the tank is rinsed with cold water.',
  'At last the lid is closed and locked again.',
  'Nothing else is done in this place on Mondays.',
];
const FILLER = Array.from(
  { length: 30 },
  (_, at) => `Gardens of type ${at} have ${at} roses and lilies.`,
);
const SMALL_CHUNKS = { chunkSize: 16, chunkOverlap: 0 };

beforeAll(async () => {
  gateway = await startBeside({}, faults.override);
  customer = await newCustomer(gateway);
  const files = { 'steps.txt': STEPS.join('\n\n'), 'gardens.txt': FILLER.join('\n\n') };
  await customer.upload('manual', files, SMALL_CHUNKS);
});
afterEach(() => faults.mend());
afterAll(() => gateway.close());

type Source = { pageContent: string; metadata: Record<string, unknown> };

async function ask(datasetId: string, question: string, filters: object[] = []) {
  const prompts: Prompt[] = [];
  faults.answerWith(async function* (prompt) {
    prompts.push(prompt);
    yield 'Yes.';
  });
  const asked = { datasetId, question, filters, stream: false };
  const { body } = await customer.rest('POST', '/query', asked);
  const sources: Source[] = body.data.sources;
  return { sources, message: prompts[0]?.message ?? '' };
}

test('what stands around the best chunk is joined to it, in the order of the file', async () => {
  const { sources, message } = await ask('manual', 'How is the zeppelin valve turned?');
  const best = sources.find(({ pageContent }) => pageContent.includes('zeppelin'));
  expect(best?.pageContent).toContain(STEPS.slice(1, 4).join('\n'));
  expect(message).toContain(`file steps.txt):\n${best?.pageContent}\n`);
});

test('no chunk is there twice, and the sources are 5 to 10', async () => {
  const { sources } = await ask('manual', 'Gardens of which type have 7 roses?');
  const lines = sources.flatMap(({ pageContent }) => pageContent.split('\n'));
  expect(new Set(lines).size).toBe(lines.length);
  expect(sources.length).toBeGreaterThanOrEqual(5);
  expect(sources.length).toBeLessThanOrEqual(10);
});

test('what a chunk repeats of the one before it is not repeated in a source', async () => {
  const words = Array.from({ length: 900 }, (_, at) => (at === 450 ? 'zeppelin' : `word${at}`));
  const text = `# Long story\n\n${words.join(' ')}`;
  await customer.upload('story', { 'story.md': text }, { chunkSize: 60, chunkOverlap: 20 });
  const { sources } = await ask('story', 'Where is the zeppelin?');
  const told = sources.map(({ pageContent }) => pageContent.split(/\s+/));
  for (const words of told) expect(new Set(words).size).toBe(words.length);
  expect(Math.max(...told.map(({ length }) => length))).toBeGreaterThan(40);
});

test('neighbours pass the filters as well', async () => {
  const rows = [
    'step,area',
    'Open the big lid,tank',
    'Turn the zeppelin valve,pipe',
    'Close it all,tank',
  ];
  await customer.upload('filtered', { 'rows.csv': rows.join('\n') }, SMALL_CHUNKS);
  const all = await ask('filtered', 'Who turns the zeppelin valve?');
  const row = all.sources.find(({ pageContent }) => pageContent.includes('zeppelin'))?.metadata;
  const filters = [{ key: 'row', match: { value: row?.['row'] } }];
  const { sources } = await ask('filtered', 'Who turns the zeppelin valve?', filters);
  expect(sources.map(({ pageContent }) => pageContent)).toEqual([
    'step: Turn the zeppelin valve; area: pipe',
  ]);
});

test('files of another dataset or customer stand around nothing', async () => {
  const stranger = await newCustomer(gateway);
  const files = { 'steps.txt': STEPS.map((step) => `Stranger: ${step}`).join('\n\n') };
  await stranger.upload('manual', files, SMALL_CHUNKS);
  await customer.upload('others', files, SMALL_CHUNKS);
  const { message } = await ask('manual', 'How is the zeppelin valve turned?');
  expect(message).not.toContain('Stranger');
});

test('texts that are equal take one place', async () => {
  const copies = Object.fromEntries(
    Array.from({ length: 19 }, (_, at) => [`copy-${at}.txt`, 'The zeppelin lands at noon.']),
  );
  await customer.upload('copies', { ...copies, 'other.txt': 'The zeppelin starts at nine.' });
  const { sources } = await ask('copies', 'When does the zeppelin land?');
  expect(sources.map(({ pageContent }) => pageContent).sort()).toEqual([
    'The zeppelin lands at noon.',
    'The zeppelin starts at nine.',
  ]);
});

test('hundreds of equal texts leave room for others', async () => {
  const notice = 'The pump was checked and is in order.';
  const others = STEPS.map((step) => `The pump waits. ${step}`);
  const log = [...Array.from({ length: 250 }, () => notice), ...others].join('\n\n');
  await customer.upload('log', { 'log.txt': log }, SMALL_CHUNKS);
  const { sources } = await ask('log', 'Was the pump checked, and is it in order?');
  expect(sources.length).toBeGreaterThanOrEqual(5);
  expect(sources[0]?.pageContent).toContain(notice);
});

test('the model is told where in its file a chunk is from', async () => {
  await customer.upload('places', {
    'care.md': '# Care\n\n## Cleaning\n\nThe zeppelin is washed.',
    'fleet.csv': 'ship,colour\nZeppelin,silver',
    'talk.srt': '1\n00:00:01,000 --> 00:00:02,500\nThe zeppelin hums.\n',
  });
  const { message } = await ask('places', 'What of the zeppelin?');
  expect(message).toMatch(/file care\.md, heading Care > Cleaning\):\n/);
  expect(message).toMatch(/file fleet\.csv, row \d(?:-\d)?\):\n/);
  expect(message).toMatch(/file talk\.srt, time 00:00:01,000-00:00:02,500\):\n/);
});

test('CONTEXT_TOKENS leaves the best 5 chunks, and nothing around them, when it is small', async () => {
  const sparing = await startBeside({ CONTEXT_TOKENS: '1' });
  try {
    const client = await newCustomer(sparing);
    await client.upload('manual', { 'steps.txt': STEPS.join('\n\n') }, SMALL_CHUNKS);
    const question = 'How is the zeppelin valve turned?';
    const { body } = await client.rest('POST', '/query', {
      datasetId: 'manual',
      question,
      stream: false,
    });
    const texts = body.data.sources.map(({ pageContent }: Source) => pageContent);
    expect(texts).toHaveLength(5);
    expect(STEPS).toEqual(expect.arrayContaining(texts));
  } finally {
    await sparing.close();
  }
});

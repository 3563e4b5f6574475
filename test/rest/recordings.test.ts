import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { FileDocument, ViewerDocument } from '../../src/generated/graphql.ts';
import { type Client, newCustomer } from '../support/client.ts';
import { createFaults } from '../support/faults.ts';
import { startBeside, type TestGateway } from '../support/gateway.ts';
import { uploadOverGraphql } from '../support/graphql.ts';
import { type Fault, KEY, type OpenAiDouble, startOpenAiDouble } from '../support/openai-double.ts';
import { HAS_FFMPEG, recording, tones } from '../support/recordings.ts';
import { statementsOf } from '../support/statements.ts';
import { NO_TRACES, tracesOf } from '../support/traces.ts';

const faults = createFaults();
let double: OpenAiDouble;
let gateway: TestGateway;
let customer: Client & { customerId: string };

beforeAll(async () => {
  double = await startOpenAiDouble();
  const models = { CHAT_MODEL: 'offline', EMBEDDING_MODEL: 'offline' };
  const transcription = { TRANSCRIPTION_MODEL: 'whisper-1', OPENAI_API_KEY: KEY };
  const settings = { OPENAI_BASE_URL: double.url, ...models, ...transcription };
  gateway = await startBeside(settings, faults.override);
  customer = await newCustomer(gateway, '100');
});
afterEach(() => {
  double.mend();
  faults.mend();
  vi.unstubAllEnvs();
});
afterAll(async () => {
  await gateway.close();
  await double.close();
});

const SOON = { timeout: 10_000 };
const SAID = {
  transcriptionText:
    'Welcome to the harbour radio. The ferry to Brackwater leaves at nine. Tickets cost twelve crowns.',
  transcriptionSrt: [
    {
      id: '1',
      startTime: '00:00:00,000',
      endTime: '00:00:01,600',
      text: 'Welcome to the harbour radio.',
    },
    {
      id: '2',
      startTime: '00:00:01,600',
      endTime: '00:00:04,200',
      text: 'The ferry to Brackwater leaves at nine.',
    },
    {
      id: '3',
      startTime: '00:00:04,200',
      endTime: '00:00:06,000',
      text: 'Tickets cost twelve crowns.',
    },
  ],
};
const KINDS = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  m4a: 'audio/x-m4a',
  mp4: 'video/mp4',
  webm: 'video/webm',
};
const MISSING = '/nowhere';

const credits = async () => Number((await customer.graphql(ViewerDocument)).data.viewer?.credits);

describe('200 for audio and video', () => {
  test('of every kind: the file says what is said in it, over both transports, and others say null', async () => {
    const kinds = Object.keys(KINDS);
    const recordings = await Promise.all(
      kinds.map(async (kind) => [`radio.${kind}`, await recording(`harbour.${kind}`)] as const),
    );
    const files = { ...Object.fromEntries(recordings), 'note.txt': 'A note.' };
    const { status, body } = await customer.upload('kinds', files);
    expect(status).toBe(200);
    const [note, ...heard] = body.files.reverse();
    expect(note).toMatchObject({ transcriptionText: null, transcriptionSrt: null });
    for (const [at, file] of heard.reverse().entries()) {
      expect(file).toMatchObject({ ...SAID, mimeType: Object.values(KINDS)[at] });
    }

    const { fileId } = heard[0];
    const got = await customer.rest('GET', `/files/${fileId}?datasetId=kinds`);
    expect(got.body.file).toMatchObject(SAID);
    const { data } = await customer.graphql(FileDocument, { datasetId: 'kinds', fileId });
    // In GraphQL, `id` is the name of what caches use.
    const entries = SAID.transcriptionSrt.map(({ id: number, ...entry }) => ({ number, ...entry }));
    expect(data.file).toMatchObject({ ...SAID, transcriptionSrt: entries });
  });

  test('they go to the model as they are, which is asked for subtitles', async () => {
    const mp3 = await recording('harbour.mp3');
    // Whatever they are called.
    await customer.upload('wire', { 'a private name': mp3 });
    const [request, ...others] = double.requests;
    expect(others).toEqual([]);
    expect(request?.path).toBe('/v1/audio/transcriptions');
    expect(request?.headers.authorization).toBe(`Bearer ${KEY}`);
    const { file, ...fields } = request?.body ?? {};
    expect(fields).toStrictEqual({ model: 'whisper-1', response_format: 'srt' });
    expect(file.name).toBe('recording.mp3');
    expect(Buffer.from(await file.arrayBuffer())).toEqual(Buffer.from(await mp3.arrayBuffer()));
  });

  test('over GraphQL: their chunks tell when it is said', async () => {
    const { data } = await uploadOverGraphql(
      customer,
      'radio',
      { 'radio.mp3': await recording('harbour.mp3') },
      { chunkSize: 10, chunkOverlap: 0, metadata: { 0: { kind: 'radio' } } },
    );
    const asked = {
      datasetId: 'radio',
      question: 'When does the ferry to Brackwater leave?',
      filters: [{ key: 'kind', match: { value: 'radio' } }],
    };
    const { body } = await customer.rest('POST', '/search', asked);
    expect(body.data[0]).toMatchObject({
      pageContent: expect.stringMatching(/^The ferry to Brackwater/),
      metadata: {
        fileId: data.uploadFiles.files[0]?.fileId,
        originalName: 'radio.mp3',
        mimeType: 'audio/mpeg',
        startTime: '00:00:01,600',
        endTime: '00:00:04,200',
      },
    });
  });

  test.each([
    ['files', '{ files(datasetId: "listed") { nodes { ...F } } }'],
    ['files in edges', '{ files(datasetId: "listed") { edges { node { ...F } } } }'],
    [
      'files of datasets',
      '{ viewer { datasets(first: 9) { nodes { files(first: 9) { nodes { ...F } } } } } }',
    ],
    [
      'files of hits',
      '{ search(input: { datasetId: "listed", question: "ferry" }) { file { ...F } } }',
    ],
  ])('over GraphQL: %s are read with what is said only when it is selected', async (_, list) => {
    await customer.upload('listed', { 'radio.mp3': await recording('harbour.mp3') });
    const listed = async (fields: string) => {
      let json = '';
      const statements = await statementsOf(async () => {
        const { data, errors } = await customer.graphql(`${list} fragment F on File { ${fields} }`);
        expect(errors).toEqual([]);
        json = JSON.stringify(data);
      });
      return { json, transcripts: statements.filter((sql) => sql.includes('transcription_')) };
    };
    const names = await listed('originalName mimeType');
    expect(names.json).toContain('radio.mp3');
    expect(names.transcripts).toEqual([]);
    expect((await listed('said: transcriptionText')).json).toContain(SAID.transcriptionText);
    const { json } = await listed('... on Node { ... on File { transcriptionSrt { text } } }');
    for (const { text } of SAID.transcriptionSrt) expect(json).toContain(text);
  });

  test.runIf(HAS_FFMPEG)('that the model would not take are cut at silences', async () => {
    double.behave({ hear: () => [['Beep.', 1, 2.5]] });
    const long = tones([550, 1, 348, 1]);
    expect(long.size).toBeGreaterThan(25_000_000);
    const { status, body } = await customer.upload('long', { 'long.wav': long });
    expect(status).toBe(200);
    const names = double.asked('transcriptions').map(({ body: { file } }) => file.name);
    expect(names).toEqual(['piece.wav', 'piece.wav']);
    const [first, second] = body.files[0].transcriptionSrt;
    expect(first).toMatchObject({ id: '1', startTime: '00:00:01,000', endTime: '00:00:02,500' });
    expect(second).toMatchObject({ id: '2', text: 'Beep.' });
    // The middle of the silence from 9:10 to 9:11, and a second more.
    expect(second.startTime).toMatch(/^00:09:11,[45]\d\d$/);
  });
});

describe('a failure leaves nothing, and costs nothing:', () => {
  const upload = async (name: string, content?: Blob) => {
    const before = await credits();
    const datasetId = randomUUID();
    const reply = await customer.upload(datasetId, {
      [name]: content ?? (await recording('harbour.mp3')),
    });
    expect(await tracesOf(gateway, faults, datasetId)).toEqual(NO_TRACES);
    expect(await credits()).toBe(before);
    return reply;
  };

  test.each<[string, Fault]>([
    ['401', { status: 401 }],
    ['500 for good', { status: 500, headers: { 'retry-after': '0' } }],
    ['a page', { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>Welcome</p>' }],
    ['a cut answer', 'cut'],
    [
      'a setting it does not know',
      { status: 400, body: '{"error":{"message":"response_format"}}' },
    ],
  ])('500 after %s', async (_, fault) => {
    double.fail('transcriptions', fault, 9);
    const { status, body } = await upload('radio.mp3');
    expect([status, body]).toEqual([500, { error: 'Internal error' }]);
  });

  test.each<[string, Fault, number, RegExp]>([
    ['413', { status: 413 }, 413, /^radio\.mp3: the recording is too large/],
    ['400', { status: 400 }, 422, /^radio\.mp3: it is broken, or nothing can be heard in it$/],
  ])('%s is told', async (_, fault, status, error) => {
    double.fail('transcriptions', fault);
    const reply = await upload('radio.mp3');
    expect(reply.status).toBe(status);
    expect(reply.body.error).toMatch(error);
  });

  test('422 when nothing is said', async () => {
    double.behave({ hear: () => [] });
    const { status, body } = await upload('radio.mp3');
    expect([status, body]).toEqual([422, { error: 'radio.mp3: no text was found in it' }]);
  });

  test('413 when it is too large, and there is no ffmpeg to cut it', async () => {
    vi.stubEnv('PATH', MISSING);
    const { status, body } = await upload('long.wav', tones([1, 820]));
    expect(status).toBe(413);
    expect(body.error).toMatch(/^long\.wav: the recording is too large .* 25 MB at most$/);
    expect(double.requests).toEqual([]);
  });

  const aiff = new Blob([Buffer.from('FORM\0\0\0\x2eAIFFCOMM\0\0\0\x12'), new Uint8Array(500)]);

  test.runIf(HAS_FFMPEG)('422 when ffmpeg cannot read it', async () => {
    const { status, body } = await upload('old.aiff', aiff);
    const error = 'old.aiff: it is broken, or nothing can be heard in it';
    expect([status, body]).toEqual([422, { error }]);
  });

  test('415 when only ffmpeg could read it, and there is none', async () => {
    vi.stubEnv('PATH', MISSING);
    const { status, body } = await upload('old.aiff', aiff);
    expect(status).toBe(415);
    expect(body.error).toMatch(/^old\.aiff: .* mp3, wav, m4a, mp4 and webm can$/);
  });

  test('a client that goes away ends the request to the model', async () => {
    double.fail('transcriptions', 'silent');
    const gone = new AbortController();
    const form = new FormData();
    form.set('datasetId', 'gone');
    form.set('file', await recording('harbour.mp3'), 'radio.mp3');
    const upload = customer.raw('POST', '/v1/files/upload', form, { signal: gone.signal });
    await vi.waitFor(() => expect(double.requests).toHaveLength(1));
    gone.abort();
    await vi.waitFor(() => expect(double.requests).toMatchObject([{ aborted: true }]), SOON);
    await upload.catch(() => {});
    expect(await tracesOf(gateway, faults, 'gone')).toEqual(NO_TRACES);
  });
});

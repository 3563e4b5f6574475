import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createOpenAiTranscriber } from '../../../../src/adapters/models/openai/openai-transcriber.ts';
import { chooseCuts } from '../../../../src/adapters/models/openai/recording-pieces.ts';
import { ConfigurationError } from '../../../../src/core/errors.ts';
import { KEY, type OpenAiDouble, startOpenAiDouble } from '../../../support/openai-double.ts';
import { HAS_FFMPEG, recording, tones } from '../../../support/recordings.ts';

let double: OpenAiDouble;
let folder: string;

beforeAll(async () => {
  double = await startOpenAiDouble();
  folder = await mkdtemp(join(tmpdir(), 'filequery-recordings-'));
});
afterEach(() => {
  double.mend();
  vi.unstubAllEnvs();
});
afterAll(async () => {
  await double.close();
  await rm(folder, { recursive: true });
});

const create = (model: string) =>
  createOpenAiTranscriber({ server: { baseUrl: double.url, apiKey: KEY }, model });

async function transcribe(model: string, content: Blob) {
  const path = join(folder, 'recording');
  await writeFile(path, new Uint8Array(await content.arrayBuffer()));
  const file = { originalName: 'recording', mimeType: null, size: content.size, path };
  const kind = { format: 'media', mimeType: 'audio/wav', media: true };
  const { signal } = new AbortController();
  return create(model).transcribe(file, kind, signal);
}

const sent = () => double.asked('transcriptions').map(({ body }) => body);

describe('a model that knows no subtitles', () => {
  test.runIf(HAS_FFMPEG)('and tells no times hears pieces that end in silences', async () => {
    double.behave({ hear: ({ size }) => [[`${size} bytes`, 0, 0]] });
    const entries = await transcribe('gpt-4o-transcribe', tones([4, 1, 20, 1, 20, 1, 5]));
    for (const { file, ...fields } of sent()) {
      expect(fields).toStrictEqual({ model: 'gpt-4o-transcribe', response_format: 'json' });
      expect(file.size).toBeLessThan(44 + 30 * 32_000);
      const head = Buffer.from(await file.slice(0, 44).arrayBuffer());
      expect(head.readUInt32LE(40)).toBe(file.size - 44);
    }
    const times = entries.map(({ startTime, endTime }) => [startTime, endTime].join(' '));
    const at = (seconds: number) => expect.stringMatching(new RegExp(`^00:00:${seconds},[45]`));
    expect(entries.map(({ id }) => id)).toEqual(['1', '2']);
    expect(entries[0]?.endTime).toEqual(at(25));
    expect(entries[1]?.startTime).toEqual(at(25));
    expect(times).toHaveLength(2);
    expect(entries[1]?.endTime).toBe('00:00:52,000');
    // Nothing of the sound stays behind.
    expect(await readdir(folder)).toEqual(['recording']);
  });

  test('and tells who speaks is asked for that', async () => {
    const entries = await transcribe('gpt-4o-transcribe-diarize', await recording('harbour.wav'));
    const [{ file: _, ...fields }] = sent();
    expect(fields).toStrictEqual({
      model: 'gpt-4o-transcribe-diarize',
      response_format: 'diarized_json',
      chunking_strategy: 'auto',
    });
    expect(entries[1]).toStrictEqual({
      id: '2',
      startTime: '00:00:01,600',
      endTime: '00:00:04,200',
      text: 'B: The ferry to Brackwater leaves at nine.',
    });
  });
});

test.runIf(HAS_FFMPEG)('when one piece fails, no other is asked for', async () => {
  double.fail('transcriptions', { status: 401 }, 99);
  const failing = transcribe('gpt-4o-transcribe', tones([400]));
  await expect(failing).rejects.toThrow(/^OPENAI_API_KEY: http:\S+ rejects it: 401 /);
  expect(double.requests.length).toBeLessThanOrEqual(5);
  expect(await readdir(folder)).toEqual(['recording']);
});

test('a text is one line of words, whatever came', async () => {
  double.behave({
    hear: () => [
      [' Two\nlines\0 \ud800', 0, 1],
      ['  ', 1, 2],
    ],
  });
  const entries = await transcribe('whisper-1', await recording('harbour.wav'));
  expect(entries.map(({ text }) => text)).toEqual(['Two lines \ufffd']);
});

describe('cuts', () => {
  test.each([
    ['none in what is short', [5, 8], 10, 10, []],
    ['in the last silence that fits', [3, 5, 9, 14, 16], 25, 10, [9, 16]],
    ['not where a piece would be tiny', [1, 2, 12], 15, 10, [10]],
    ['by time where nothing is silent', [], 25, 10, [10, 20]],
  ])('%s', (_, silences, length, longest, cuts) => {
    expect(chooseCuts(silences, length, longest)).toEqual(cuts);
  });
});

describe('the check', () => {
  test('asks for the list of models only', async () => {
    await create('whisper-1').check();
    expect(double.requests.map(({ endpoint }) => endpoint)).toEqual(['models']);
  });

  test.each([
    [
      'gpt-0',
      {},
      /^TRANSCRIPTION_MODEL: gpt-0 at http:\S+ does not exist; use a model that does\. It has: .*whisper-1/,
    ],
    ['whisper-1', { key: 'sk-another' }, /^OPENAI_API_KEY: http:\S+ rejects it: 401 /],
  ])('of %s with %j says why it cannot be used', async (model, behaviour, reason) => {
    double.behave(behaviour);
    await expect(create(model).check()).rejects.toThrow(reason);
  });

  test('of a model that tells no times wants ffmpeg', async () => {
    vi.stubEnv('PATH', '/nowhere');
    await expect(create('gpt-4o-transcribe').check()).rejects.toThrow(
      new ConfigurationError(
        'TRANSCRIPTION_MODEL: gpt-4o-transcribe returns no timestamps, so recordings are cut into pieces: install ffmpeg, or use whisper-1',
      ),
    );
  });
});

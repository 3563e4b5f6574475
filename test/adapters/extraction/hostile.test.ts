import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { SpooledFile } from '../../../src/core/model.ts';
import { lyingZip, swellingSheet } from '../../support/swelling-files.ts';
import { useExtractor } from './support.ts';
import { word, zip } from './zip.ts';

const { extractor, fixture, made, read } = useExtractor();
const small = useExtractor({ memory: 128 });

const MEGABYTE = 1024 * 1024;

describe('protected, broken or unreasonable', () => {
  test.each(['docx', 'xlsx', 'odt', 'pdf'])('encrypted.%s', async (extension) => {
    const file = await fixture(`protected/encrypted.${extension}`);
    await expect(read(file)).rejects.toMatchObject(
      unreadable(file, 'it is protected by a password'),
    );
  });

  test.each([
    ['documents/annual-report.pdf', 20_000],
    ['documents/warranty-handbook.docx', 4_000],
    ['documents/staff.xlsx', 4_000],
    ['documents/staff.xls', 4_000],
    ['documents/project-heron.pptx', 20_000],
    ['documents/project-heron.odp', 9_000],
    ['documents/salt-road.epub', 1_000],
  ])('%s, of which the end is missing', async (path, length) => {
    const whole = await fixture(path);
    const file = await made(whole.originalName, (await readFile(whole.path)).subarray(0, length));
    await expect(read(file)).rejects.toMatchObject(unreadable(file, 'it is broken or incomplete'));
  });

  test('a document that is a zip file of something else', async () => {
    const file = await made('other.docx', zip({ 'readme.txt': 'no document' }));
    await expect(read(file)).rejects.toMatchObject(unreadable(file, 'it is broken or incomplete'));
  });

  test.each([
    ['docx', () => word(blanks(150))],
    ['docx', () => word(body('<w:p/>'.repeat(2_500_000)))],
    ['xlsx', () => zip({ 'xl/workbook.xml': '', 'xl/big.xml': blanks(260) })],
  ])('a small .%s that unpacks to a lot', async (extension, content) => {
    const file = await made(`bomb.${extension}`, content());
    expect(file.size).toBeLessThan(2 * MEGABYTE);
    await expect(read(file)).rejects.toMatchObject(
      unreadable(file, 'it unpacks to more than can be read'),
    );
  });

  test.each([
    ['docx', 'word/document.xml', () => word(blanks(150))],
    ['xlsx', 'xl/big.xml', () => zip({ 'xl/workbook.xml': '', 'xl/big.xml': blanks(260) })],
  ])('a small .%s that says that it unpacks to little', async (extension, name, content) => {
    const file = await made(`liar.${extension}`, lyingZip(content(), name));
    await expect(read(file)).rejects.toMatchObject(
      unreadable(file, 'it unpacks to more than can be read'),
    );
  });

  test.each([
    ['cells', 50_000_000, 1],
    ['rows', 1, 50_000_000],
    ['cells and rows', 16_384, 1_048_576],
  ])('a small .ods that repeats %s', async (_, columns, rows) => {
    const file = await small.made('swells.ods', swellingSheet(columns, rows));
    await expect(small.read(file)).rejects.toMatchObject(
      unreadable(file, 'it unpacks to more than can be read'),
    );
  });

  test('XML entities that multiply, or name a file, stay what they are', async () => {
    const entities = `<!ENTITY a "lol"><!ENTITY b "${'&a;'.repeat(9)}"><!ENTITY c "${'&b;'.repeat(9)}">`;
    const declared = `<!DOCTYPE w [${entities}<!ENTITY d SYSTEM "file:///etc/passwd">]>`;
    const text = `${declared}${body('<w:p><w:r><w:t>Entities: &c; &d;</w:t></w:r></w:p>')}`;
    const [chunk] = await read(await made('entities.docx', word(text)));
    expect(chunk?.content).toBe('Entities: &c; &d;');
  });

  test.each([
    ['json', () => '['.repeat(100_000) + ']'.repeat(100_000)],
    ['html', () => `${'<div>'.repeat(100_000)}text`],
    ['docx', () => word(body('<w:tbl><w:tr><w:tc>'.repeat(20_000)))],
  ])('a .%s that is nested deeply', async (extension, content) => {
    const file = await made(`deep.${extension}`, content());
    await expect(read(file)).rejects.toMatchObject({
      code: 'UNREADABLE_FILE',
      message: expect.stringMatching(/nested too deeply|broken/),
    });
  });

  test('a quotation mark that is never closed', async () => {
    const file = await made('quote.csv', `a,b\n1,"open\n${'x,y\n'.repeat(300_000)}`);
    const reason = 'a quotation mark is not closed in or after row 2';
    await expect(read(file)).rejects.toMatchObject(unreadable(file, reason));
  });
});

test('a row that never ends', async () => {
  const file = await made('row.csv', `a,b\n1,${'word '.repeat(3_500_000)}`);
  const reason = 'row 2 is longer than 16 MB, perhaps as a quotation mark is not closed in it';
  await expect(read(file)).rejects.toMatchObject(unreadable(file, reason));
});

describe('what takes quadratic time in a naive reader', () => {
  test.each([
    ['html', '<p>x', '<!-- '],
    ['html', '', '<div'],
    ['html', '<p>', '<b>word</b> '],
    ['md', '', '>'],
    ['md', '', '['],
    ['md', '', 'a <?'],
    ['md', '[^a]: x\n\n', '[^'],
    ['srt', '1\n00:00:01,000 --> 00:00:02,000\nx', '<!-- '],
    ['srt', '1\n00:00:01,000 --> 00:00:02,000\nx', '<a'],
    ['vtt', 'WEBVTT\n\n00:01.000 --> 00:02.000\nx', '<v.'],
    ['vtt', 'WEBVTT\n\n00:01.000 --> 00:02.000\nx', '{\\'],
    ['txt', 'LS(1) commands LS(1)\n', 'word'],
  ])('a .%s of %s and many %s', async (extension, beginning, repeated) => {
    const file = await made(`hostile.${extension}`, beginning + repeated.repeat(150_000));
    const start = performance.now();
    await read(file);
    expect(performance.now() - start).toBeLessThan(8_000);
  });
});

describe('no text, or not what the name says', () => {
  test.each(['pdf', 'docx', 'txt', 'md', 'html', 'csv', 'json', 'jsonl', 'srt', 'bin'])(
    'an empty .%s has no chunks',
    async (extension) => {
      expect(await read(await made(`empty.${extension}`, ''))).toEqual([]);
    },
  );

  test.each(['txt', 'md', 'html', 'csv', 'tsv', 'json', 'jsonl', 'srt', 'vtt', 'ts'])(
    'a .%s of nothing but white space has no chunks',
    async (extension) => {
      expect(await read(await made(`blank.${extension}`, '\ufeff \n\n\t\n'))).toEqual([]);
    },
  );

  test('a PDF is a PDF by any name', async () => {
    const file = await fixture('documents/annual-report.pdf', 'report.txt');
    expect(await extractor.identify(file)).toMatchObject({ format: 'pdf' });
  });

  test.each(['notes', 'NOTES.TXT', 'notes.xyz', 'notes.mp3', '.notes', 'MZ.exe'])(
    'plain text is text when it is called %s',
    async (name) => {
      const file = await made(name, 'MZ is how a program begins, and ID3 how a song does.\n');
      expect(await extractor.identify(file)).toEqual({
        format: 'text',
        mimeType: 'text/plain',
        media: false,
      });
    },
  );

  test.each(['pdf', 'docx', 'xlsx', 'epub'])('plain text is no .%s', async (extension) => {
    const file = await made(`text.${extension}`, 'Only a text.');
    await expect(extractor.identify(file)).rejects.toMatchObject({
      code: 'UNSUPPORTED_FILE_TYPE',
      details: {
        file: file.originalName,
        reason: `it is called .${extension}, but holds plain text`,
      },
    });
  });

  test.each([
    ['picture.tif', Buffer.from('49492a0008000000'.padEnd(80, '0'), 'hex'), 'image/tiff'],
    ['archive.txt', zip({ 'a.txt': 'hello' }), 'application/zip'],
    ['program', Buffer.from('\x7fELF\x02\x01\x01'.padEnd(64, '\0')), 'x-elf'],
    ['unknown.txt', randomBytes(5000), 'it is neither text nor a known document'],
    ['zeros', Buffer.alloc(5000), 'it is neither text nor a known document'],
    [
      'letter.doc',
      Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]),
      'old',
    ],
  ])('%s cannot be read', async (name, content, reason) => {
    const file = await made(name, content);
    await expect(extractor.identify(file)).rejects.toMatchObject({
      code: 'UNSUPPORTED_FILE_TYPE',
      details: { file: name, reason: expect.stringContaining(reason) },
    });
  });

  test.each([
    [
      'song.mp3',
      Buffer.concat([Buffer.from('ID3\x03\0\0\0\0\0\x0a'), Buffer.alloc(64)]),
      'audio/mpeg',
    ],
    ['voice.bin', wav(), 'audio/wav'],
    ['film.webm', Buffer.from('1a45dfa3', 'hex'), 'video/webm'],
  ])('%s is to be transcribed', async (name, content, mimeType) => {
    const file = await made(name, content);
    expect(await extractor.identify(file)).toEqual({ format: 'media', mimeType, media: true });
  });
});

describe('text without spaces', () => {
  test.each([
    ['Base64', randomBytes(350_000).toString('base64')],
    ['one letter', 'a'.repeat(500_000)],
    ['ideographs', Array.from({ length: 150_000 }, (_, n) => ideograph(n * 7919)).join('')],
    ['families', '👩‍👩‍👧‍👦'.repeat(15_000)],
    ['line breaks', `${'\n'.repeat(1_000_000)}end`],
  ])('%s', async (_, text) => {
    const chunks = await read(await made('long.txt', text), { chunkOverlap: 0 });
    const joined = chunks.map(({ content }) => content).join('');
    expect(joined).toBe(text.replaceAll('\n', ''));
    expect(chunks.every(({ content }) => content.isWellFormed())).toBe(true);
  });
});

function blanks(megabytes: number): Buffer {
  return Buffer.alloc(megabytes * MEGABYTE, ' ');
}

function unreadable(file: SpooledFile, reason: string) {
  return { code: 'UNREADABLE_FILE', details: { file: file.originalName, reason } };
}

function body(xml: string): string {
  const namespace = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
  return `<w:document xmlns:w="${namespace}"><w:body>${xml}</w:body></w:document>`;
}

function ideograph(n: number): string {
  return String.fromCharCode(0x4e00 + (n % 20_000));
}

function wav(): Buffer {
  return Buffer.concat([Buffer.from('RIFF\x24\0\0\0WAVEfmt '), Buffer.alloc(64)]);
}

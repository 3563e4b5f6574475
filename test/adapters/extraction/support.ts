import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll } from 'vitest';
import {
  createTextExtractor,
  type TextExtractorOptions,
} from '../../../src/adapters/extraction/text-extractor.ts';
import type { SpooledFile } from '../../../src/core/model.ts';
import type { ExtractedChunk, ExtractOptions } from '../../../src/ports/text-extractor.ts';
import { extractor as shared } from '../../support/extractor.ts';

const FIXTURES = new URL('../../fixtures/', import.meta.url).pathname;

/** An extractor for the tests of a file, its own if it has options, and ways to put files before it. */
export function useExtractor(options?: TextExtractorOptions) {
  const extractor = options ? createTextExtractor({ processes: 1, ...options }) : shared;
  const folder = mkdtemp(join(tmpdir(), 'filequery-extraction-'));
  afterAll(async () => {
    if (options) await extractor.close();
    await rm(await folder, { recursive: true });
  });

  /** A file of the fixtures, such as `documents/letter.txt`, under its own or another name. */
  async function fixture(path: string, originalName = basename(path)): Promise<SpooledFile> {
    return spooled(join(FIXTURES, path), originalName);
  }

  async function made(originalName: string, content: string | Uint8Array): Promise<SpooledFile> {
    const path = join(await folder, originalName);
    await writeFile(path, content);
    return spooled(path, originalName);
  }

  async function* stream(file: SpooledFile, options: Partial<ExtractOptions> = {}) {
    const kind = await extractor.identify(file);
    const { signal } = new AbortController();
    yield* extractor.extract(file, kind, {
      owner: 'customer',
      chunkSize: 300,
      chunkOverlap: 20,
      signal,
      ...options,
    });
  }

  async function read(
    file: SpooledFile,
    options?: Partial<ExtractOptions>,
  ): Promise<ExtractedChunk[]> {
    return (await Array.fromAsync(stream(file, options))).flat();
  }

  return { extractor, fixture, made, stream, read };
}

async function spooled(path: string, originalName: string): Promise<SpooledFile> {
  const { size } = await stat(path);
  return { originalName, mimeType: null, size, path };
}

import { glob, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { createTextExtractor } from '../../../src/adapters/extraction/text-extractor.ts';
import type { SpooledFile } from '../../../src/core/model.ts';
import type { TextExtractor } from '../../../src/ports/text-extractor.ts';

export interface BenchChunk {
  /** The name of its file. */
  file: string;
  content: string;
  /** What it stands below in its file. */
  heading: string;
}

/** In tokens: what an upload has unless it says otherwise. */
const CHUNKING = { owner: 'bench', chunkSize: 300, chunkOverlap: 20 };

/** The files that match patterns, in the order of their paths. */
export async function findFiles(patterns: string[]): Promise<string[]> {
  const found = await Array.fromAsync(glob(patterns, { withFileTypes: true }));
  const files = found.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => `${parentPath}/${name}`).sort();
}

/** The chunks that users get of files, cut by the gateway's own extractor. */
export async function loadChunks(paths: string[]): Promise<BenchChunk[]> {
  const extractor = createTextExtractor();
  try {
    const chunks: BenchChunk[] = [];
    for (const path of paths) chunks.push(...(await chunksOf(path, extractor)));
    return chunks;
  } finally {
    await extractor.close();
  }
}

async function chunksOf(path: string, extractor: TextExtractor): Promise<BenchChunk[]> {
  const { size } = await stat(path);
  const file: SpooledFile = { originalName: basename(path), mimeType: null, size, path };
  const options = { ...CHUNKING, signal: new AbortController().signal };
  const kind = await extractor.identify(file);
  const batches = await Array.fromAsync(extractor.extract(file, kind, options));
  return batches.flat().map(({ content, origin }) => ({
    file: file.originalName,
    content,
    heading: typeof origin['heading'] === 'string' ? origin['heading'] : '',
  }));
}

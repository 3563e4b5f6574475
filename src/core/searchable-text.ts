import type { ChunkMetadata } from './chunk-metadata.ts';
import type { Chunk } from './model.ts';

/**
 * The text that is indexed for a chunk, in lines: the name of its file, its headings or the name of its
 * sheet, which often contain words that the chunk itself omits, and its content.
 */
export function searchableText({ content, metadata }: Pick<Chunk, 'content' | 'metadata'>): string {
  const { originalName, heading, sheet }: ChunkMetadata = metadata;
  return [originalName, heading ?? sheet, content]
    .filter((part) => typeof part === 'string' && part !== '')
    .join('\n');
}

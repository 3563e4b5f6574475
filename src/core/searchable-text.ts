import type { Chunk } from './model.ts';

/**
 * The text by which a chunk is found: the name of its file, the headings it stands under or the
 * name of its sheet, which often say what the chunk itself leaves out, and its content; a line each.
 */
export function searchableText({ content, metadata }: Pick<Chunk, 'content' | 'metadata'>): string {
  const { originalName, heading, sheet } = metadata;
  return [originalName, heading ?? sheet, content]
    .filter((part) => typeof part === 'string' && part !== '')
    .join('\n');
}

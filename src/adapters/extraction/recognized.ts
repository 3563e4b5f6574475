import { readFile } from 'node:fs/promises';
import type { RecognizedText } from '../../ports/text-extractor.ts';
import { createBlockReader } from './markdown/block-passages.ts';
import { parseMarkdown } from './markdown/parse-markdown.ts';
import type { Passage } from './passage.ts';

/**
 * The passages of the texts that were recognized in a file, by page; an image has no pages. Where no
 * text was found there is none.
 *
 * @param path of a file with `RecognizedText[]` as JSON
 */
export async function recognizedPassages(
  path: string,
): Promise<Map<number | undefined, Passage[]>> {
  const texts: RecognizedText[] = JSON.parse(await readFile(path, 'utf8'));
  const passages = new Map<number | undefined, Passage[]>();
  for (const { page, text } of texts) {
    if (text !== '') passages.set(page, await passagesOf(text, page));
  }
  return passages;
}

/** The text is Markdown. */
async function passagesOf(text: string, page: number | undefined): Promise<Passage[]> {
  const reader = createBlockReader('');
  const passages = [...(await reader.read(parseMarkdown(text))), ...reader.end()];
  if (page === undefined) return passages;
  return passages.map((passage) => ({ ...passage, origin: { ...passage.origin, page } }));
}

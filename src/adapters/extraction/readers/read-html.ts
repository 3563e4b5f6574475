import { createHtmlReader } from '../html-passages.ts';
import type { Passage } from '../passage.ts';
import type { Source } from '../reader.ts';
import { textBlocksOf } from '../text-stream.ts';

/** A web page, without its navigation and controls. */
export async function* readHtml({ path }: Source): AsyncIterable<Passage[]> {
  const reader = createHtmlReader();
  for await (const block of textBlocksOf(path)) yield reader.add(block);
  yield reader.end();
}

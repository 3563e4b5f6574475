import { type BlockReader, createBlockReader } from '../markdown/block-passages.ts';
import { splitFrontMatter } from '../markdown/front-matter.ts';
import { parseMarkdown } from '../markdown/parse-markdown.ts';
import { segmentsOf } from '../markdown/segments.ts';
import type { Passage } from '../passage.ts';
import type { Source } from '../reader.ts';

/** Markdown; the contents of its front matter are part of the first passage. */
export async function* readMarkdown({ path }: Source): AsyncIterable<Passage[]> {
  let reader: BlockReader | undefined;
  for await (const segment of segmentsOf(path)) {
    let body = segment;
    if (!reader) {
      const parts = await splitFrontMatter(segment);
      reader = createBlockReader(parts.about);
      body = parts.body;
    }
    yield await reader.read(parseMarkdown(body));
  }
  yield reader?.end() ?? [];
}

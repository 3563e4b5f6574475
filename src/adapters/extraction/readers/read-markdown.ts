import type { JsonObject } from '../../../core/model.ts';
import { createTreeReader, type TreeReader } from '../document-tree.ts';
import type { Source } from '../formats.ts';
import { describe } from '../json-fields.ts';
import { parseDocument } from '../parse-office.ts';
import type { Passage } from '../passage.ts';
import { linesOf } from '../text-stream.ts';

/** In characters: a longer document is read in segments, as its tree would take a lot of memory. */
const SEGMENT = 512 * 1024;
const HEADING = /^#{1,6}\s/;
const FENCE = /^\s{0,3}(?:```|~~~)/;

/** Markdown; what its front matter says is told with the first passage. */
export async function* readMarkdown({ path, signal }: Source): AsyncIterable<Passage[]> {
  let reader: TreeReader | undefined;
  for await (const segment of segmentsOf(path)) {
    const { content, metadata } = await parseDocument(Buffer.from(segment), 'md', signal);
    reader ??= createTreeReader(describe((metadata.nativeProperties ?? {}) as JsonObject) ?? '');
    yield [...reader.read(content)];
  }
  yield [...(reader?.end() ?? [])];
}

/** Parts of the file that end before a heading or, where there is none, with a paragraph. */
async function* segmentsOf(path: string): AsyncIterable<string> {
  let [segment, fenced] = ['', false];
  for await (const lines of linesOf(path)) {
    for (const { text, cut } of lines) {
      const atHeading = !fenced && HEADING.test(text);
      const atParagraph = segment.length > 2 * SEGMENT && !text.trim();
      if (segment.length > SEGMENT && (atHeading || atParagraph)) {
        yield segment;
        segment = '';
      }
      if (FENCE.test(text)) fenced = !fenced;
      segment += cut ? text : `${text}\n`;
    }
  }
  yield segment;
}

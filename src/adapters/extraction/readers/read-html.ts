import { inBatches } from '../batches.ts';
import { createTreeReader } from '../document-tree.ts';
import type { Source } from '../formats.ts';
import { parseDocument } from '../parse-office.ts';
import type { Passage } from '../passage.ts';
import { textBlocksOf } from '../text-stream.ts';

/** Where elements begin and end that hold nothing to read. In comments and scripts none does. */
const ASIDES =
  /<!--.*?-->|<(script|style)\b.*?<\/\1\s*>|<(?<end>\/?)(?<name>nav|noscript|template|svg|select|button)\b[^>]*>/gis;

/** A web page, without its navigation and controls. */
export async function* readHtml({ path, signal }: Source): AsyncIterable<Passage[]> {
  let page = '';
  for await (const block of textBlocksOf(path)) page += block;
  const html = Buffer.from(withoutAsides(page));
  const { content, metadata } = await parseDocument(html, 'html', signal);
  const reader = createTreeReader(metadata.title ?? '');
  yield* inBatches(reader.read(content));
  yield [...reader.end()];
}

function withoutAsides(page: string): string {
  let [kept, start, depth] = ['', 0, 0];
  for (const { 0: tag, index, groups } of page.matchAll(ASIDES)) {
    if (!groups?.['name'] || tag.endsWith('/>')) continue;
    if (groups['end']) {
      if (depth === 1) start = index + tag.length;
      depth = Math.max(0, depth - 1);
    } else {
      if (depth === 0) {
        kept += page.slice(start, index);
        start = index;
      }
      depth += 1;
    }
  }
  // An element that is never closed is kept: it may hold the rest of the page.
  return kept + page.slice(start);
}

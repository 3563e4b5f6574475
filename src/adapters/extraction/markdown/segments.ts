import { linesOf } from '../text-stream.ts';

/** In characters: a longer document is read in segments, as its tokens would take a lot of memory. */
const SEGMENT = 512 * 1024;
/** Where no heading comes: the end of a paragraph, of any line, of a part of a line. */
const LONGEST_PARAGRAPHS = 2 * SEGMENT;
const LONGEST_PARAGRAPH = 4 * SEGMENT;
const LONGEST_LINE = 8 * SEGMENT;
const HEADING = /^#{1,6}\s/;
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/s;

interface Fence {
  marker: string;
  /** The line that opens it. */
  line: string;
}

/**
 * Parts of a Markdown file that end before a heading or, where there is none, with a paragraph, or
 * with a line of an enormous one. A block of code that had to be cut is opened again.
 */
export async function* segmentsOf(path: string): AsyncIterable<string> {
  let segment = '';
  let fence: Fence | undefined;
  let continued = false;
  for await (const lines of linesOf(path)) {
    for (const { text, cut } of lines) {
      if (!continued && endsBefore(text, segment.length, Boolean(fence))) {
        yield segment;
        segment = fence ? `${fence.line}\n` : '';
      }
      if (!continued) fence = fenceAfter(text, fence);
      segment += cut ? text : `${text}\n`;
      continued = cut && segment.length < LONGEST_LINE;
    }
  }
  yield segment;
}

function endsBefore(line: string, length: number, fenced: boolean): boolean {
  if (length <= SEGMENT) return false;
  if (!fenced && HEADING.test(line)) return true;
  return length > LONGEST_PARAGRAPH || (length > LONGEST_PARAGRAPHS && !line.trim());
}

/** The block of code that is open after a line. */
function fenceAfter(line: string, fence: Fence | undefined): Fence | undefined {
  const [, marker = '', rest = ''] = FENCE.exec(line) ?? [];
  if (!marker) return fence;
  if (!fence) return marker.startsWith('`') && rest.includes('`') ? undefined : { marker, line };
  return marker.startsWith(fence.marker) && !rest.trim() ? undefined : fence;
}

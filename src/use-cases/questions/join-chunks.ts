/** In characters: an upper bound for the overlap of chunks. */
const LONGEST_OVERLAP = 4_000;
/** In characters. A shorter overlap may be a coincidence. */
const SHORTEST_OVERLAP = 8;

/** Joins the texts of consecutive chunks without the text that each repeats from the previous one. */
export function joinChunks(texts: string[]): string {
  const parts = texts.map((text, at) =>
    at === 0 ? text : withoutOverlap(text, texts[at - 1] ?? ''),
  );
  return parts.filter(Boolean).join('\n');
}

/** A chunk that continues a section begins with its heading and the end of the previous chunk. */
function withoutOverlap(text: string, before: string): string {
  const heading = firstLineOf(text);
  const body = heading === firstLineOf(before) ? text.slice(heading.length).trimStart() : text;
  const belowHeading = body === text ? text.slice(heading.length).trimStart() : body;
  const overlap = overlapOf(before, belowHeading);
  return overlap > 0 ? belowHeading.slice(overlap).trim() : body;
}

function firstLineOf(text: string): string {
  const end = text.indexOf('\n');
  return end === -1 ? text : text.slice(0, end);
}

/** The length of the longest end of one text that is the start of the other, in characters. */
function overlapOf(end: string, start: string): number {
  const most = Math.min(end.length, start.length, LONGEST_OVERLAP);
  for (let length = most; length >= SHORTEST_OVERLAP; length--) {
    if (end.endsWith(start.slice(0, length))) return length;
  }
  return 0;
}

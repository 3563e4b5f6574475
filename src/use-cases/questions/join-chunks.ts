/** In characters: chunks repeat less of each other than this. */
const LONGEST_OVERLAP = 4_000;
/** In characters: what is shorter is the same by chance. */
const SHORTEST_OVERLAP = 8;

/** The text of chunks that follow each other, without what each repeats of the one before it. */
export function joinChunks(texts: string[]): string {
  const parts = texts.map((text, at) => (at === 0 ? text : newIn(text, texts[at - 1] ?? '')));
  return parts.filter(Boolean).join('\n');
}

/** A chunk that continues a section begins with its heading; then comes the end of the chunk before. */
function newIn(text: string, before: string): string {
  const heading = firstLineOf(text);
  const body = heading === firstLineOf(before) ? text.slice(heading.length).trimStart() : text;
  const belowHeading = body === text ? text.slice(heading.length).trimStart() : body;
  const overlap = overlapOf(before, belowHeading);
  return overlap > 0 ? belowHeading.slice(overlap).trim() : body;
}

function firstLineOf(text: string): string {
  return text.slice(0, text.search(/\n|$/));
}

/** How many characters the end of one text and the start of the other have in common. */
function overlapOf(end: string, start: string): number {
  const most = Math.min(end.length, start.length, LONGEST_OVERLAP);
  for (let length = most; length >= SHORTEST_OVERLAP; length--) {
    if (end.endsWith(start.slice(0, length))) return length;
  }
  return 0;
}

/** In characters: an upper bound for the overlap of chunks. */
const LONGEST_OVERLAP = 4_000;
/** In characters. A shorter overlap may be a coincidence. */
const SHORTEST_OVERLAP = 8;
/** In characters. */
const LONGEST_WORD = 50;

/**
 * Joins the texts of consecutive chunks without the text that each repeats from the previous one. After
 * such text, a chunk continues as the file does: maybe in the middle of a line.
 */
export function joinChunks(texts: string[]): string {
  return texts.reduce((joined, text, at) => joined + continuation(text, texts[at - 1]), '');
}

/**
 * What a chunk adds to the text, with the white space before it. The chunk begins with the end of the
 * previous chunk, below the heading of its section if there is one.
 */
function continuation(text: string, before: string | undefined): string {
  if (before === undefined) return text;
  const heading = firstLineOf(text);
  const belowHeading = text.slice(heading.length).trimStart();
  for (const body of [text, belowHeading]) {
    const overlap = overlapOf(before, body);
    if (overlap > 0) return body.slice(overlap);
  }
  const body = heading === firstLineOf(before) ? belowHeading : text;
  return body && `\n${body}`;
}

function firstLineOf(text: string): string {
  const end = text.indexOf('\n');
  return end === -1 ? text : text.slice(0, end);
}

/**
 * The length of the shortest end of one text that is the start of the other, in characters; one that ends
 * with a word is preferred. In a text that repeats itself, such as a log, longer ones match as well: to
 * remove them would lose text. Of a whole chunk it is a coincidence, as each has text of its own.
 */
function overlapOf(end: string, start: string): number {
  let most = Math.min(end.length, start.length - 1, LONGEST_OVERLAP);
  let inWord = 0;
  for (let length = SHORTEST_OVERLAP; length <= most; length++) {
    if (!end.endsWith(start.slice(0, length))) continue;
    if (/\s/.test(start.charAt(length))) return length;
    inWord ||= length;
    most = Math.min(most, inWord + LONGEST_WORD);
  }
  return inWord;
}

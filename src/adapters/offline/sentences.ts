/** A sentence as it stands in its text, but for line breaks. */
export interface Sentence {
  text: string;
  /** A heading or a question announces what follows it, and states nothing itself. */
  announces: boolean;
  /** A row of a table is about what it names, whatever stands before it. */
  isRow: boolean;
}

/** Longer ones (lists without stops, code, tables) are cut, in characters. */
const LONGEST_SENTENCE = 400;

/**
 * The sentences of a text in their order. Headings, list items and table rows count as one each;
 * lines that a layout wrapped are joined.
 */
export function sentencesOf(text: string): Sentence[] {
  return paragraphsOf(text).flatMap(({ text, heading }) =>
    splitParagraph(text)
      .flatMap(cutLong)
      .map((sentence) => ({
        text: sentence,
        announces: heading || isQuestion(sentence),
        isRow: ROW.test(text),
      })),
  );
}

export function isQuestion(sentence: string): boolean {
  return /[?？]["'”’»)]*$/.test(sentence);
}

interface Paragraph {
  text: string;
  heading: boolean;
}

const MARKDOWN_HEADING = /^#{1,6}\s+/;
const ROW = /^[^:;.]{1,40}: [^;]*; | \| /;
const STARTS_ALONE = /^(?:#{1,6}\s|[-*•–]\s|\(?(?:\d{1,2}|[a-z])[.)]\s|\|)|\t/;
const ENDS_SENTENCE = /[.!?:;…。！？]["'”’»)」』]*$/;

function paragraphsOf(text: string): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let open: string[] = [];
  const close = () => {
    const [first = ''] = open;
    const joined = open.join(' ').replace(MARKDOWN_HEADING, '');
    const heading = MARKDOWN_HEADING.test(first) || (open.length === 1 && looksLikeHeading(joined));
    if (joined) paragraphs.push({ text: joined, heading });
    open = [];
  };
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  for (const [i, line] of lines.entries()) {
    if (!line || STARTS_ALONE.test(line) || ROW.test(line) || !wraps(open.at(-1), line)) close();
    if (/[\p{L}\p{N}]/u.test(line) && !namesColumns(line, lines[i + 1])) open.push(line);
  }
  close();
  return paragraphs;
}

/** Did a layout break the line before, and this one goes on with it? */
function wraps(before: string | undefined, line: string): boolean {
  if (before === undefined) return true;
  if (MARKDOWN_HEADING.test(before)) return false;
  return isWrapped(before) || /^\p{Ll}/u.test(line);
}

/** Longer than a heading is, and no longer than a layout's lines; an ideograph is two letters wide. */
function isWrapped(line: string): boolean {
  const width = line.length + (line.match(/\p{Script=Han}|[ぁ-ヿ]/gu)?.length ?? 0);
  return width > 50 && width <= 120;
}

/** The first row of a table, whose names each row below repeats: `City | River`, `City: Bonn; ...` */
function namesColumns(line: string, next = ''): boolean {
  const [name, ...others] = line.split(' | ');
  return others.length > 0 && next.startsWith(`${name}: `);
}

function looksLikeHeading(line: string): boolean {
  return line.length <= 60 && !ENDS_SENTENCE.test(line) && !/: |\d$/.test(line);
}

const STOP = /(?<![.!?…])[.!?…]+["'”’»)\]]*(?=\s)|[。！？]+["'”’」』）]*/gu;

function splitParagraph(text: string): string[] {
  const sentences: string[] = [];
  let begin = 0;
  for (const stop of text.matchAll(STOP)) {
    const end = stop.index + stop[0].length;
    if (stop[0] === '.' && goesOn(text.slice(begin, stop.index), text.slice(end).trimStart()))
      continue;
    sentences.push(text.slice(begin, end).trim());
    begin = end;
  }
  return [...sentences, text.slice(begin).trim()].filter(Boolean);
}

const TITLE = /^(?:mr|mrs|ms|dr|prof|st|mme|sr|sra|vs|bzw|ca|inkl|zzgl|evtl|approx|hr|fr)$/i;

/** Is a full stop that of an abbreviation, an initial or an ordinal number? */
function goesOn(before: string, after: string): boolean {
  const word = /[\p{L}\p{N}]*$/u.exec(before)?.[0] ?? '';
  if (/^\p{Ll}/u.test(after) || TITLE.test(word)) return true;
  if (/^(?:\p{L}|\d{1,2})$/u.test(word)) return true;
  return /^\d/.test(after) && /^\p{L}{1,4}$/u.test(word);
}

function cutLong(sentence: string): string[] {
  const pieces: string[] = [];
  let rest = sentence;
  while (rest.length > LONGEST_SENTENCE) {
    const head = rest.slice(0, LONGEST_SENTENCE);
    const cut = Math.max(head.lastIndexOf('; ') + 1, head.lastIndexOf(', ') + 1);
    const at = cut > LONGEST_SENTENCE / 2 ? cut : head.lastIndexOf(' ') + 1 || LONGEST_SENTENCE;
    pieces.push(rest.slice(0, at).trim());
    rest = rest.slice(at);
  }
  return [...pieces, rest.trim()];
}

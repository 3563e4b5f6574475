import { type LabelledLine, withLabels } from './labels.ts';
import { linesOf } from './lines.ts';

/** A sentence, a heading, a row of a table or a line of code. */
export interface Sentence {
  /** Without line breaks and the markers of headings and list items. */
  text: string;
  /** Whether it only introduces what follows, as headings and questions do. */
  announces: boolean;
  /** Whether it is a row of a table, which is understood without the sentence before it. */
  isRow: boolean;
  isCode: boolean;
  /** What it explains, such as `--quiet`; may be empty. */
  label: string;
  /** The number of its paragraph. */
  paragraph: number;
  /**
   * The index of the sentence that gives its topic: the first of its paragraph, or of the list item
   * that contains it.
   */
  topic: number | undefined;
}

/** In characters. Longer ones, such as lists without full stops, are split. */
const LONGEST_SENTENCE = 400;

/**
 * Splits a text into sentences. A heading, a table row and a line of code are one sentence each.
 * Wrapped lines are joined.
 *
 * @param headings a line that equals one of these is a heading
 */
export function sentencesOf(text: string, headings: readonly string[] = []): Sentence[] {
  const sentences: Sentence[] = [];
  /** The enclosing list items, from the outermost to the innermost. */
  let items: { indent: number; at: number }[] = [];
  const paragraphs = paragraphsOf(withLabels(linesOf(text, headings)));
  for (const [paragraph, { text, kind, label, indent }] of paragraphs.entries()) {
    const isCode = kind === 'code';
    const first = sentences.length;
    items = kind === 'heading' ? [] : items.filter((item) => item.indent < indent);
    const above = items.at(-1)?.at;
    if (kind === 'item') items.push({ indent, at: first });
    const texts = isCode ? [text] : splitParagraph(text).flatMap(cutLong);
    for (const [at, sentence] of texts.entries()) {
      const announces = kind === 'heading' || (!isCode && statesNothing(sentence));
      const topic = at > 0 ? first : above;
      const isRow = kind === 'row';
      sentences.push({ text: sentence, announces, isRow, isCode, label, paragraph, topic });
    }
  }
  return sentences;
}

const NAME = /^[\w$@./()[\]<>-]+$/;

/** Whether it is a question, or only a name, such as an entry of a table of contents. */
function statesNothing(sentence: string): boolean {
  return isQuestion(sentence) || (NAME.test(sentence) && !ENDS_SENTENCE.test(sentence));
}

export function isQuestion(sentence: string): boolean {
  return /[?？؟]["'”’»)]*$/.test(sentence);
}

type Paragraph = Pick<LabelledLine, 'text' | 'kind' | 'label' | 'indent'>;

const MARKS = /^(?:#{1,6}|[-*•–▶]|\$)\s+/;
const ENDS_SENTENCE = /[.!?:;…。！？؟۔।]["'”’»)」』]*$/;

function paragraphsOf(lines: LabelledLine[]): Paragraph[] {
  const paragraphs: LabelledLine[][] = [];
  for (const [at, line] of lines.entries()) {
    const before = lines[at - 1];
    if (line.kind === 'blank' || namesColumns(line.text, lines[at + 1]?.text)) continue;
    if (before && continuesParagraph(before, line)) paragraphs.at(-1)?.push(line);
    else paragraphs.push([line]);
  }
  return paragraphs.map(joinLines);
}

function joinLines(lines: LabelledLine[]): Paragraph {
  const [first] = lines as [LabelledLine];
  const text = lines.map(({ text }) => text).join(' ');
  const alone = lines.length === 1 && first.kind === 'prose' && looksLikeHeading(text);
  const stated = text.replace(MARKS, '').replace(/\s+/g, ' ');
  const { label, indent } = first;
  return { text: stated, kind: alone ? 'heading' : first.kind, label, indent };
}

/** Whether a line continues the paragraph of the line before. */
function continuesParagraph(before: LabelledLine, line: LabelledLine): boolean {
  if (line.kind !== 'prose' || line.label !== before.label) return false;
  if (before.kind !== 'prose' && before.kind !== 'item') return false;
  return isWrapped(before) || /^\p{Ll}/u.test(line.text);
}

/** Longer than a heading, and within the usual width of a line. An ideograph is two columns wide. */
function isWrapped({ text, indent }: LabelledLine): boolean {
  const width = indent + text.length + (text.match(/\p{Script=Han}|[ぁ-ヿ]/gu)?.length ?? 0);
  return width > 50 && width <= 120;
}

/** The header row of a table, whose names each row repeats: `City | River`, `City: Bonn; ...` */
function namesColumns(line: string, next = ''): boolean {
  const [name, ...others] = line.split(' | ');
  return others.length > 0 && next.startsWith(`${name}: `);
}

function looksLikeHeading(line: string): boolean {
  return line.length <= 60 && !ENDS_SENTENCE.test(line) && !/: |\d$/.test(line);
}

const STOP = /(?<![.!?…؟۔।\s])[.!?…؟۔।]+["'”’»)\]]*(?=\s)|[。！？]+["'”’」』）]*/gu;

function splitParagraph(text: string): string[] {
  const sentences: string[] = [];
  let begin = 0;
  for (const stop of text.matchAll(STOP)) {
    const end = stop.index + stop[0].length;
    const after = text.slice(end).trimStart();
    if (/^\p{Ll}/u.test(after) && !/[。！？]/.test(stop[0])) continue;
    if (
      stop[0] === '.' &&
      isInside(text.slice(Math.max(begin, stop.index - LONGEST_WORD), stop.index), after)
    )
      continue;
    sentences.push(text.slice(begin, end).trim());
    begin = end;
  }
  return [...sentences, text.slice(begin).trim()].filter(Boolean);
}

/** In characters. Longer words are not abbreviations. */
const LONGEST_WORD = 20;
const TITLE = /^(?:mr|mrs|ms|dr|prof|st|mme|sr|sra|vs|bzw|ca|inkl|zzgl|evtl|approx|hr|fr)$/i;

/** A unit after a number, such as `18 h`. */
const UNIT = /\d\s\p{Ll}$/u;

/** Whether a full stop belongs to an abbreviation, an initial or an ordinal number. */
function isInside(before: string, after: string): boolean {
  if (UNIT.test(before)) return false;
  const word = /[\p{L}\p{M}\p{N}]*$/u.exec(before)?.[0] ?? '';
  if (TITLE.test(word) || /^(?:\p{L}|\d{1,2})$/u.test(word)) return true;
  return /^\d/.test(after) && /^\p{L}{1,4}$/u.test(word);
}

/** Before what continues a sentence. */
const MARK = '… ';

/** Splits a sentence that is too long, preferably after a clause, and marks the splits with `…`. */
function cutLong(sentence: string): string[] {
  const parts: string[] = [];
  let rest = sentence;
  while (rest.length > LONGEST_SENTENCE) {
    const head = rest.slice(0, LONGEST_SENTENCE - 4);
    const clause = head.lastIndexOf('; ') + 1;
    const cut = clause > LONGEST_SENTENCE / 2 ? clause : head.lastIndexOf(' ');
    // The first space may be that after the mark: nothing would be split off, for ever.
    const at = cut > MARK.length ? cut : head.length;
    parts.push(`${rest.slice(0, at).trim()} …`);
    rest = `${MARK}${rest.slice(at).trim()}`;
  }
  return [...parts, rest];
}

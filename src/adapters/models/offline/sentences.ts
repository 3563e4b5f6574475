import { type LabelledLine, withLabels } from './labels.ts';
import { linesOf } from './lines.ts';

/** What a text says at one place: a sentence, a heading, a row of a table or a line of code. */
export interface Sentence {
  /** As it stands in the text, but for line breaks and the marks of headings and lists. */
  text: string;
  /** A heading or a question announces what follows it, and states nothing itself. */
  announces: boolean;
  /** A row of a table is about what it names, whatever stands before it. */
  isRow: boolean;
  isCode: boolean;
  /** What is explained here: `--quiet` above its explanation. Empty when there is nothing. */
  label: string;
  /** Sentences of the same number stand in the same paragraph. */
  paragraph: number;
  /**
   * Where the sentence stands that tells what this one is about: the first of its paragraph, or of
   * the list item that it stands below.
   */
  topic: number | undefined;
}

/** Longer ones (lists without stops, licences) are cut, in characters. */
const LONGEST_SENTENCE = 400;

/**
 * The sentences of a text in their order. Headings, list items, table rows and lines of code count
 * as one each; lines that a layout wrapped are joined.
 *
 * @param headings texts that are headings where they stand alone in a line
 */
export function sentencesOf(text: string, headings: readonly string[] = []): Sentence[] {
  const sentences: Sentence[] = [];
  /** The list items that are open, each within the one before it. */
  let items: { indent: number; at: number }[] = [];
  const paragraphs = paragraphsOf(withLabels(linesOf(text, headings)));
  for (const [paragraph, { text, kind, label, indent }] of paragraphs.entries()) {
    const isCode = kind === 'code';
    const first = sentences.length;
    items = kind === 'heading' ? [] : items.filter((item) => item.indent < indent);
    const above = items.at(-1)?.at;
    if (kind === 'item') items.push({ indent, at: first });
    const pieces = isCode ? [text] : splitParagraph(text).flatMap(cutLong);
    for (const [at, sentence] of pieces.entries()) {
      const announces = kind === 'heading' || (!isCode && statesNothing(sentence));
      const topic = at > 0 ? first : above;
      const isRow = kind === 'row';
      sentences.push({ text: sentence, announces, isRow, isCode, label, paragraph, topic });
    }
  }
  return sentences;
}

const NAME = /^[\w$@./()[\]<>-]+$/;

/** A question, or a mere name, such as an entry of a table of contents. */
function statesNothing(sentence: string): boolean {
  return isQuestion(sentence) || (NAME.test(sentence) && !ENDS_SENTENCE.test(sentence));
}

export function isQuestion(sentence: string): boolean {
  return /[?？]["'”’»)]*$/.test(sentence);
}

type Paragraph = Pick<LabelledLine, 'text' | 'kind' | 'label' | 'indent'>;

const MARKS = /^(?:#{1,6}|[-*•–▶]|\$)\s+/;
const ENDS_SENTENCE = /[.!?:;…。！？]["'”’»)」』]*$/;

function paragraphsOf(lines: LabelledLine[]): Paragraph[] {
  const paragraphs: LabelledLine[][] = [];
  for (const [at, line] of lines.entries()) {
    const before = lines[at - 1];
    if (line.kind === 'blank' || namesColumns(line.text, lines[at + 1]?.text)) continue;
    if (before && goesOn(before, line)) paragraphs.at(-1)?.push(line);
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

/** Did a layout break the line before, and this one goes on with it? */
function goesOn(before: LabelledLine, line: LabelledLine): boolean {
  if (line.kind !== 'prose' || line.label !== before.label) return false;
  if (before.kind !== 'prose' && before.kind !== 'item') return false;
  return isWrapped(before) || /^\p{Ll}/u.test(line.text);
}

/** Longer than a heading is, and no longer than a layout's lines; an ideograph is two letters wide. */
function isWrapped({ text, indent }: LabelledLine): boolean {
  const width = indent + text.length + (text.match(/\p{Script=Han}|[ぁ-ヿ]/gu)?.length ?? 0);
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

const STOP = /(?<![.!?…\s])[.!?…]+["'”’»)\]]*(?=\s)|[。！？]+["'”’」』）]*/gu;

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

/** In characters: longer ones end a sentence as any other. */
const LONGEST_WORD = 20;
const TITLE = /^(?:mr|mrs|ms|dr|prof|st|mme|sr|sra|vs|bzw|ca|inkl|zzgl|evtl|approx|hr|fr)$/i;

/** Is a full stop that of an abbreviation, an initial or an ordinal number? */
function isInside(before: string, after: string): boolean {
  const word = /[\p{L}\p{N}]*$/u.exec(before)?.[0] ?? '';
  if (TITLE.test(word) || /^(?:\p{L}|\d{1,2})$/u.test(word)) return true;
  return /^\d/.test(after) && /^\p{L}{1,4}$/u.test(word);
}

/** Pieces of a sentence that is too long, cut after a clause if there is one, with `…` where it was cut. */
function cutLong(sentence: string): string[] {
  const pieces: string[] = [];
  let rest = sentence;
  while (rest.length > LONGEST_SENTENCE) {
    const head = rest.slice(0, LONGEST_SENTENCE - 4);
    const clause = head.lastIndexOf('; ') + 1;
    const cut = clause > LONGEST_SENTENCE / 2 ? clause : head.lastIndexOf(' ');
    const at = cut > 0 ? cut : head.length;
    pieces.push(`${rest.slice(0, at).trim()} …`);
    rest = `… ${rest.slice(at).trim()}`;
  }
  return [...pieces, rest];
}

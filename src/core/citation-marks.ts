/** A mark: the statement before it is from documents of the prompt. */
export interface CitationMark {
  /** The numbers of the documents; 1 is the first. A number may have no document. */
  documents: number[];
  /** In UTF-16 code units, if known; else the statement is the sentence before the mark. */
  statementLength?: number;
}

/** A part of an answer: text, or a mark about the text before it. */
export type AnswerPiece = string | CitationMark;

/**
 * The mark that a model writes after a statement. `[1]` would be found in code (`list[1]`), in
 * footnotes that a document quotes and in Markdown links, `[[1]]` in nested lists and wikis, and `【1】`
 * in Chinese and Japanese. All models can write ASCII, and the word says what the number means.
 */
export function citationMark(document: number): string {
  return `[[doc:${document}]]`;
}

const BLANK = String.raw`[ \t\u00a0]`;
const NUMBER = String.raw`\d{1,4}`;
const NAMED = `doc(?:ument)?s?[ :#]{0,2}${NUMBER}`;
/** With the variants that models write: `[[Doc 1]]`, `[[doc:1, 2]]`, `[[doc:1; doc:2]]`. */
const MARK = new RegExp(
  String.raw`${BLANK}{0,8}\[\[ ?${NAMED}(?:[ ,;]{1,3}(?:${NAMED}|${NUMBER})){0,9} ?\]\]`,
  'gi',
);
/** The longest text that can become a mark, in characters; longer lists of documents are text. */
const LONGEST_MARK = 64;
const BEGUN = String.raw`\[(?:\[(?: ?(?:d(?:o(?:c[a-z\d :#,;]{0,48}\]?)?)?)?)?)?`;
/** The end of a text that may be the beginning of a mark, with the spaces before it. */
const BEGUN_MARK = new RegExp(`${BLANK}{0,8}(?:${BEGUN})?$`, 'i');
/** The same after another mark. */
const BEGUN_NEXT = new RegExp(`^(?:${BLANK}|[,;]){1,3}(?:${BEGUN})?$`, 'i');
const SEPARATOR = new RegExp(`^${BLANK}*[,;]?${BLANK}*$`);
const CUT_MARK = new RegExp(String.raw`^${BLANK}*\[\[ ?doc`, 'i');
/** Characters that need no space before them. */
const CLOSES = /^[\s.,;:!?…)\]}»”’。、，；：！？）」』】]/;

/**
 * Removes the marks, and the spaces before them, from a text that arrives in pieces. Text is held back only
 * while it can be the beginning of a mark; a mark that is cut off by the end of the text is dropped.
 */
export async function* readMarks(
  texts: AsyncIterable<string>,
): AsyncGenerator<AnswerPiece, void, undefined> {
  const reader = createMarkReader();
  // `yield*` would wait several times for each piece.
  for await (const text of texts) for (const piece of reader.read(text)) yield piece;
  for (const piece of reader.end()) yield piece;
}

function createMarkReader() {
  let held = '';
  /** The spaces before the marks that were just read. */
  let blanks: string | undefined;

  function textOf(text: string): string[] {
    if (text === '') return [];
    const before = blanks === undefined || CLOSES.test(text) ? '' : blanks;
    blanks = undefined;
    return [before + text];
  }

  return {
    read(text: string): AnswerPiece[] {
      held += text;
      const pieces: AnswerPiece[] = [];
      let begin = 0;
      for (const { 0: mark, index } of held.matchAll(MARK)) {
        const between = held.slice(begin, index);
        const follows = blanks !== undefined && SEPARATOR.test(between);
        if (!follows) pieces.push(...textOf(between));
        blanks ??= mark.slice(0, mark.indexOf('['));
        pieces.push({ documents: [...new Set(mark.match(/\d+/g)?.map(Number))] });
        begin = index + mark.length;
      }
      const rest = held.slice(begin);
      const hold = blanks !== undefined && BEGUN_NEXT.test(rest) ? 0 : beginOfMark(rest);
      held = rest.slice(hold);
      return [...pieces, ...textOf(rest.slice(0, hold))];
    },

    end: (): AnswerPiece[] => (CUT_MARK.test(held) ? [] : textOf(held)),
  };
}

/** The index at which the end of a text may begin a mark; its length if there is none. */
function beginOfMark(text: string): number {
  const tail = text.slice(-LONGEST_MARK);
  return text.length - tail.length + tail.search(BEGUN_MARK);
}

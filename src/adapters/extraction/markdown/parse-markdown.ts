// In one file, which loads in half the time and memory; it needs no browser.
import createParser, { type StateBlock, type Token } from 'markdown-it/browser';
import footnotes from 'markdown-it-footnote';
import { keepExcessCells } from './excess-cells.ts';

/** What is nested deeper is kept as it is written; the parser would leave it out. */
const DEEPEST = 90;

// Of the footnotes only their definitions: looking for references takes quadratic time.
const parser = createParser({ html: true, maxNesting: DEEPEST + 10 })
  .use(footnotes)
  .disable(['footnote_inline', 'footnote_ref', 'footnote_tail']);
parser.block.ruler.before('table', 'nested_deeply', keepNestedDeeply);
parser.core.ruler.before('inline', 'excess_cells', keepExcessCells);

/** The tokens of a Markdown text, with tables and strikethrough as GitHub has them, in linear time. */
export function parseMarkdown(text: string): Token[] {
  return parser.parse(text, {});
}

function keepNestedDeeply(state: StateBlock, start: number, end: number, silent: boolean): boolean {
  if (silent || state.level < DEEPEST) return false;
  const isWithin = (line: number) => (state.sCount[line] ?? 0) >= state.blkIndent;
  let next = start + 1;
  while (next < end && (state.isEmpty(next) || isWithin(next))) next += 1;
  const token = state.push('code_block', 'code', 0);
  token.content = state.getLines(start, next, state.blkIndent, false);
  state.line = next;
  return true;
}

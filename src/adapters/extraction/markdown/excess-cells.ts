import type { StateCore, Token } from 'markdown-it';

/** Before the cells of a row: quotation marks, and the bar of its first cell. */
const ROW_START = /^[\s>]*\|?/;
const ROW_END = /\|?\s*$/;
const CELL_BORDER = /(?<!\\)\|/;

/** Keeps the cells of a row for which its table has no columns. The parser leaves them out. */
export function keepExcessCells(state: StateCore): void {
  let lines: string[] | undefined;
  let [columns, line, inBody] = [0, 0, false];
  state.tokens = state.tokens.flatMap((token) => {
    if (token.type === 'table_open') columns = 0;
    if (token.type === 'th_open') columns += 1;
    if (token.type === 'tbody_open') inBody = true;
    if (token.type === 'tbody_close') inBody = false;
    if (token.type === 'tr_open') line = token.map?.[0] ?? 0;
    if (token.type !== 'tr_close' || !inBody) return token;
    lines ??= state.src.split('\n');
    const cells = cellsOf(lines[line] ?? '').slice(columns);
    return [...cells.map((text) => cellToken(state, text)), token];
  });
}

function cellsOf(line: string): string[] {
  return line.replace(ROW_START, '').replace(ROW_END, '').split(CELL_BORDER);
}

function cellToken(state: StateCore, text: string): Token {
  const token = new state.Token('inline', '', 0);
  token.content = text.trim().replaceAll('\\|', '|');
  token.children = [];
  return token;
}

/** A part of a text, without the signs of Markdown around it. */
export interface Span {
  /** Where it is in the text, the end exclusive. */
  start: number;
  end: number;
  style?: 'strong' | 'code' | undefined;
}

export interface Block {
  kind: 'paragraph' | 'heading' | 'item' | 'code';
  spans: Span[];
  /** Of an item: a bullet or a number, and how deep it is in other lists. */
  marker?: string;
  depth?: number;
}

/**
 * The blocks of a text in the Markdown that models write: headings, lists, blocks of code, `code` and
 * **strong** words. Everything else is text as it stands: HTML, images and links, whose URLs should be
 * visible.
 */
export function readMarkdown(text: string): Block[] {
  const blocks: Block[] = [];
  /** What the next line continues. */
  let open: (Block & Pick<Span, 'start' | 'end'>) | undefined;
  let start = 0;
  for (const line of text.split('\n')) {
    const end = start + line.length;
    const [fence] = /^\s*```/.exec(line) ?? [];
    if (open?.kind === 'code') {
      if (fence) close();
      else open = { ...open, start: open.start < 0 ? start : open.start, end };
    } else if (fence) {
      close();
      open = { kind: 'code', spans: [], start: -1, end: -1 };
    } else if (line.trim() === '') close();
    else readLine(line, end);
    start = end + 1;
  }
  close();
  return blocks;

  function readLine(line: string, end: number): void {
    const [heading] = /^#{1,6} +(?=\S)/.exec(line) ?? [];
    const [item, indent = '', marker = ''] = /^(\s*)([-*+•]|\d{1,3}[.)])\s+(?=\S)/.exec(line) ?? [];
    if (heading || item) close();
    if (heading) {
      open = { kind: 'heading', spans: [], start: end - line.length + heading.length, end };
      close();
    } else if (item) {
      const from = end - line.length + item.length;
      const depth = Math.min(Math.floor(indent.replaceAll('\t', '    ').length / 2), 3);
      const shown = /\d/.test(marker) ? marker : '•';
      open = { kind: 'item', spans: [], marker: shown, depth, start: from, end };
    } else if (open) open = { ...open, end };
    else open = { kind: 'paragraph', spans: [], start: end - line.length, end };
  }

  function close(): void {
    if (open && open.start >= 0) {
      const { start: from, end, ...block } = open;
      const spans = block.kind === 'code' ? [{ start: from, end }] : spansOf(text, from, end);
      blocks.push({ ...block, spans });
    }
    open = undefined;
  }
}

/** Signs within words are signs of something else, such as a formula. */
const STYLED = /(?<![\w*`])(?:\*\*(?=\S)([^*\n]+)(?<=\S)\*\*|`([^`\n]+)`)(?![\w*`])/g;

function spansOf(text: string, from: number, to: number): Span[] {
  const spans: Span[] = [];
  let start = from;
  const plainUntil = (end: number) => {
    if (start < end) spans.push({ start, end });
  };
  for (const { 0: whole, 1: strong, index } of text.slice(from, to).matchAll(STYLED)) {
    const at = from + index;
    plainUntil(at);
    const sign = strong === undefined ? 1 : 2;
    const end = at + whole.length;
    spans.push({ start: at + sign, end: end - sign, style: sign === 1 ? 'code' : 'strong' });
    start = end;
  }
  plainUntil(to);
  return spans;
}

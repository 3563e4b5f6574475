/** What a line of a text is: only prose goes on in the next line. */
export type LineKind = 'blank' | 'heading' | 'row' | 'code' | 'item' | 'prose';

export interface Line {
  /** Without the white space around it. */
  text: string;
  /** Characters of white space before it. */
  indent: number;
  kind: LineKind;
}

/**
 * The lines of a text, each with what it is by itself.
 *
 * @param headings texts that are headings where they stand alone in a line
 */
export function linesOf(text: string, headings: readonly string[] = []): Line[] {
  return text.split(/\r?\n/).map((line) => {
    const trimmed = line.trim();
    const kind = headings.includes(trimmed) ? 'heading' : kindOf(trimmed);
    return { text: trimmed, indent: line.search(/\S|$/), kind };
  });
}

function kindOf(line: string): LineKind {
  if (!/[\p{L}\p{N}]/u.test(line)) return CODE_MARK.test(line) ? 'code' : 'blank';
  if (/^(?:#{1,6}\s|title: )/.test(line)) return 'heading';
  if (isCode(line)) return 'code';
  if (ROW.test(line)) return 'row';
  return ITEM.test(line) ? 'item' : 'prose';
}

/** `City: Bonn; River: Rhine`, `Bonn; River: Rhine` or cells between bars. */
const ROW = /^[^:;.]{1,60}: [^;]*; |^[^:;.]{1,60}; [^:;.]{1,60}: |^\||\S \| \S/;
const ITEM = /^(?:[-*•–▶]\s|\(?(?:\d{1,2}|[a-z])[.)]\s)/;

/** Brackets that end a block of code: what stands around them belongs together. */
const CODE_MARK = /^[{}()[\];,]+$/;

/** Does a line look like source code, or like a command for a shell? */
export function isCode(line: string): boolean {
  return isCommand(line) || (!ENDS_PROSE.test(line) && CODE.test(line));
}

/** Is a line of code a command for a shell? */
export function isCommand(line: string): boolean {
  return COMMAND.test(line.replace(COMMENT, ''));
}

/** Programs whose names are no words of prose. */
const COMMAND =
  /^(?:\$ \S|(?:sudo )?(?:npm|npx|pnpm|yarn|node|deno|bun|git|curl|wget|docker|kubectl|pip3?|python3?|cargo|apt-get|brew|mkdir|chmod|systemctl|psql) (?!.*[,:;] ).*[^.,:;?!]$)/;
const COMMENT = /\s+# .*$/;
const ENDS_PROSE = /\p{L}[.?!:]$/u;
const CODE = new RegExp(
  [
    String.raw`[{;]$|[({[]$|^[\])}]|=> |^(?://|/\*|\*/|<[/!?\w]|#!)`,
    String.raw`^(?:const|let|var|import|export|return|await|async|throw|function|class|interface|type|def|func|package|public|private) \S.*[=({'"\w]`,
    String.raw`^[\w$]+(?:\.[\w$]+)+\(.*\),?$|^[\w$.]+ = \S`,
    String.raw`^(?:'[^']+'|"[^"]+"|[\w$]+): .*,$`,
  ].join('|'),
);

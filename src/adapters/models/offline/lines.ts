/** The kind of a line. Only prose continues on the next line. */
export type LineKind = 'blank' | 'heading' | 'row' | 'code' | 'item' | 'prose';

export interface Line {
  /** Trimmed. */
  text: string;
  /** Characters of leading white space. */
  indent: number;
  kind: LineKind;
}

/**
 * Divides a text into lines and classifies each.
 *
 * @param headings a line that equals one of these is a heading
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

/** `City: Bonn; River: Rhine`, `Bonn; River: Rhine`, or cells separated by `|`. */
const ROW = /^[^:;.]{1,60}: [^;]*; |^[^:;.]{1,60}; [^:;.]{1,60}: |^\||\S \| \S/;
const ITEM = /^(?:[-*•–▶]\s|\(?(?:\d{1,2}|[a-z])[.)]\s)/;

/** A line of brackets only, which belongs to the code around it. */
const CODE_MARK = /^[{}()[\];,]+$/;

/** Whether a line looks like source code or a shell command. */
export function isCode(line: string): boolean {
  return isCommand(line) || (!ENDS_PROSE.test(line) && CODE.test(line));
}

/** Whether a line of code is a shell command. */
export function isCommand(line: string): boolean {
  return COMMAND.test(line.replace(COMMENT, ''));
}

/** Programs whose names are no ordinary words. */
const PROGRAMS =
  'npm|npx|pnpm|yarn|node|deno|bun|git|curl|wget|docker|kubectl|pip3?|pipx|python3?|cargo|rustup|apt-get|dnf|yum|apk|winget|choco|brew|mkdir|chmod|systemctl|psql|dotnet|mvn';
/** Programs whose names may be words, and what makes a command of them. */
const WORDS = 'apt|snap|scoop|gem|bundle|composer|poetry|uv|conda|go|make|helm|terraform';
const ACTIONS = 'install|add|get|update|upgrade|init|create|run|exec|build|test|apply|sync|mod';
const COMMAND = new RegExp(
  `^(?:\\$ \\S|(?:sudo )?(?:${PROGRAMS}|(?:${WORDS})(?= (?:${ACTIONS})\\b)) (?!.*[,:;] ).*[^.,:;?!]$)`,
);
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

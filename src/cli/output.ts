/** The result of a command, as data for programs and as text for people. */
export interface Outcome {
  data: unknown;
  text: string;
  /** Whether the command found a problem: the exit code is 1 then. */
  failed?: boolean;
  /** The signal that interrupted the command: the exit code is 128 and its number then. */
  cutBy?: NodeJS.Signals | undefined;
}

/** The settings and the output streams of a command. */
export interface Terminal {
  /** The environment variables. Default: those of the process. */
  environment?: NodeJS.ProcessEnv | undefined;
  /** Writes text unchanged to standard output. */
  out(text: string): void;
  /** Writes text unchanged to standard error. */
  err(text: string): void;
}

export function printed({ data, text }: Outcome, asJson: boolean): string {
  return `${asJson ? JSON.stringify(data) : text}\n`;
}

/**
 * Names are text of others: control characters must not reach the terminal. What joins and separates
 * letters, as in Persian and in emoji, may.
 */
export function printable(text: string): string {
  return text.replace(/[^\P{C}\u200c-\u200f]/gu, '?');
}

/** The same for text of several lines. */
export function printableLines(text: string): string {
  return text.replace(/[^\P{C}\n\t\u200c-\u200f]/gu, '?');
}

/** Formats rows as a table with a heading. @param none the text for no rows */
export function table(rows: Record<string, unknown>[], none: string): string {
  const [first] = rows;
  if (!first) return none;
  const names = Object.keys(first);
  const lines = [names, ...rows.map((row) => names.map((name) => cell(row[name])))];
  const widths = names.map((_, column) =>
    lines.reduce((widest, line) => Math.max(widest, line[column]?.length ?? 0), 0),
  );
  return lines
    .map((line) => line.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  return printable(String(value));
}

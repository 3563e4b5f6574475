/** What a command found or did, in a form for programs and one for people. */
export interface Outcome {
  data: unknown;
  text: string;
  /** Whether the command found something wrong. */
  failed?: boolean;
}

/** Where a command finds its settings, and where it writes. */
export interface Terminal {
  /** The environment variables; those of the process unless given. */
  environment?: NodeJS.ProcessEnv | undefined;
  /** Writes text as it is to standard output. */
  out(text: string): void;
  /** Writes text as it is to standard error. */
  err(text: string): void;
}

export function printed({ data, text }: Outcome, asJson: boolean): string {
  return `${asJson ? JSON.stringify(data) : text}\n`;
}

/** Rows as a table with a heading, columns as wide as they need to be. */
export function table(rows: Record<string, unknown>[], none: string): string {
  const [first] = rows;
  if (!first) return none;
  const names = Object.keys(first);
  const lines = [names, ...rows.map((row) => names.map((name) => cell(row[name])))];
  const widths = names.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) => line.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  return String(value);
}

/** Rows as a Markdown table, numbers to the right. */
export function markdownTable(rows: Record<string, string>[]): string {
  const [first] = rows;
  if (!first) return '';
  const names = Object.keys(first);
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(names),
    line(names.map((name) => (/^[\d<–-]/.test(first[name] ?? '') ? '--:' : '---'))),
    ...rows.map((row) => line(names.map((name) => row[name] ?? ''))),
  ].join('\n');
}

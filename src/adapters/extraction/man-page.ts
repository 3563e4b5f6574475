import { joinCutWord, wordsOf } from './hyphens.ts';
import type { Line } from './text-stream.ts';

/** `LS(1)        User Commands        LS(1)` */
const TITLE = /^(\S+\(\d\w*\))(?:\s.*\s|\s+)\1$/;
/** The footer of a page, with the name of the page on the right. */
const FOOT = /^\S.*\s{3,}(\S+\(\d\w*\)|\d{1,3})$/;
const SECTION = /^\p{Lu}[\p{Lu}\p{N}\s\p{P}]*$/u;
const SUBSECTION = /^ {2,4}\p{Lu}\S*(?: \S+){0,8}$/u;

/** The name of a man page, such as `LS(1)`, from its first lines. */
export function manPageOf(beginning: string): string | undefined {
  const first = beginning.split('\n', 20).find((line) => line.trim());
  return TITLE.exec(first?.trimEnd() ?? '')?.[1];
}

/** The heading level of a line of a man page: 1 without indentation, 2 with a little. */
export function manHeadingLevel(line: string): number | undefined {
  if (SECTION.test(line)) return 1;
  return SUBSECTION.test(line) ? 2 : undefined;
}

/** The lines of a man page without page headers and footers, with hyphenated words joined. */
export function manLines(lines: Line[], name: string): Line[] {
  const words = new Set(lines.flatMap(({ text }) => wordsOf(withoutCut(text))));
  const kept = lines.filter(({ text }) => !isRunning(text.trimEnd(), name));
  const joined: Line[] = [];
  for (const line of kept) {
    const before = joined.at(-1);
    const [indent = '', text = ''] = /^(\s*)(.*)$/s.exec(line.text)?.slice(1) ?? [];
    const cut = before && joinCutWord(before.text.trimEnd(), text, (word) => words.has(word));
    if (!before || cut === undefined) {
      joined.push(line);
      continue;
    }
    // The rest of the word moves to the line above.
    const end = cut.length - text.length + (/\s|$/.exec(text)?.index ?? 0);
    before.text = cut.slice(0, end);
    joined.push({ ...line, text: indent + cut.slice(end).trimStart() });
  }
  return joined;
}

function isRunning(line: string, name: string): boolean {
  return TITLE.exec(line)?.[1] === name || FOOT.exec(line)?.[1] === name;
}

function withoutCut(line: string): string {
  return line.replace(/(?<!\S)\S+[-\u2010]\s*$/, '').replace(/^\s*\S+/, '');
}

import { stem } from '../../text-analysis/stemming.ts';

/**
 * Reads a table of related words, one group per line.
 *
 * @returns a function that looks up the group numbers of a word by its stem
 */
export function groupsByStem(table: string): (wordStem: string) => readonly number[] {
  const groups = new Map<string, number[]>();
  for (const [group, line] of table.trim().split('\n').entries()) {
    for (const word of new Set(line.split(' ').map(stem))) {
      groups.set(word, [...(groups.get(word) ?? []), group]);
    }
  }
  return (wordStem) => groups.get(wordStem) ?? [];
}

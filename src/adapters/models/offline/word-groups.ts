import { stem } from '../../text-analysis/stemming.ts';

/**
 * Reads a table of words that belong together, a group a line.
 *
 * @returns tells the groups of a word, by its stem, as small numbers
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

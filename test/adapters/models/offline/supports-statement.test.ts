import { describe, expect, test } from 'vitest';
import { supportsStatement } from '../../../../src/adapters/models/offline/supports-statement.ts';
import type { SearchHit } from '../../../../src/core/model.ts';

const WARRANTY = hit(
  'warranty.md',
  'The battery is covered for two years. The screen is covered for 12 months. ' +
    'The heating element of the K200 is not covered, and it must not be opened. ' +
    'Repairs take 5 working days and cost 12,500 francs at most.',
  'Coverage > Periods',
);
const FLEET = hit(
  'fleet.csv',
  'Vessel: Petrel; Built: 2029; Home port: Osprey Island\nVessel: Heron; Built: 2030; Home port: Dunmore',
);
const NOTE = hit('note.txt', 'Ms Novak founded the Lumen Harbour Ferry Company in 1998.');
const HAUS = hit(
  'haus.txt',
  'Die Nachtruhe gilt von 22 bis 6 Uhr. Hunde sind am 3. Mai nicht erlaubt.',
);

describe('a statement is supported', () => {
  test.each<[string, string, SearchHit[]]>([
    ['word for word', 'The battery is covered for two years.', [WARRANTY]],
    ['with a number as digits', 'The battery is covered for 2 years.', [WARRANTY]],
    ['in other forms of its words', 'It covers batteries for two years.', [WARRANTY]],
    ['with synonyms', 'A repair needs 5 working days.', [WARRANTY]],
    ['with other separators in a number', 'Repairs cost 12.500 francs at most.', [WARRANTY]],
    ['with Markdown', '**Repairs** take `5` working days', [WARRANTY]],
    ['that denies what the passage denies', 'You must never open the heating element.', [WARRANTY]],
    [
      'from two sentences',
      'The battery is covered for two years, the screen for 12 months.',
      [WARRANTY],
    ],
    ['with its heading', 'Coverage periods: the screen has 12 months.', [WARRANTY]],
    ['with the name of the file', 'According to warranty.md, repairs take 5 days.', [WARRANTY]],
    ['from a row', 'The Petrel was built in 2029, and its home port is Osprey Island.', [FLEET]],
    ['with names', 'The Lumen Harbour Ferry Company was founded by Novak in 1998.', [NOTE]],
    [
      'that states and denies',
      'The battery is covered, but the heating element is not.',
      [WARRANTY],
    ],
    ['in German', 'Die Nachtruhe ist von 22 bis 6 Uhr.', [HAUS]],
    ['that denies in German', 'Am 3. Mai sind keine Hunde erlaubt.', [HAUS]],
    [
      'by two passages together',
      'Novak founded the company in 1998, and the Petrel was built in 2029.',
      [NOTE, FLEET],
    ],
  ])('%s: %s', (_, statement, passages) => {
    expect(supportsStatement(statement, passages)).toBe(true);
  });
});

describe('a statement is not supported', () => {
  test.each<[string, string, SearchHit[]]>([
    ['with another number', 'The battery is covered for 3 years.', [WARRANTY]],
    ['with another amount', 'Repairs cost 12,600 francs at most.', [WARRANTY]],
    ['with another name', 'Ms Moreau founded the Lumen Harbour Ferry Company in 1998.', [NOTE]],
    ['about something else', 'The Eiffel Tower stands in Paris.', [WARRANTY]],
    ['that shares a word only', 'The battery was invented by an Italian physicist.', [WARRANTY]],
    ['that denies what the passage says', 'The battery is not covered.', [WARRANTY]],
    [
      'that denies one thing too many',
      'The heating element is covered, but the battery is not.',
      [WARRANTY],
    ],
    [
      'that says what the passage denies',
      'The heating element of the K200 is covered.',
      [WARRANTY],
    ],
    ['that German passages deny', 'Am 3. Mai sind Hunde erlaubt.', [HAUS]],
    [
      'with half of it invented',
      'The Heron was built in 2030 and sunk by pirates near Malta.',
      [FLEET],
    ],
    ['without informative words', 'Yes, it is.', [WARRANTY]],
    ['without words', '?!', [WARRANTY]],
    ['of another passage', 'The Petrel was built in 2029.', [WARRANTY]],
    ['without a passage', 'The battery is covered.', []],
  ])('%s: %s', (_, statement, passages) => {
    expect(supportsStatement(statement, passages)).toBe(false);
  });
});

test('a long statement and a long passage take a few milliseconds', () => {
  const long = hit('long.txt', WARRANTY.pageContent.repeat(40));
  // The time of the CPU: on a busy machine, the process also waits.
  const start = process.cpuUsage();
  supportsStatement(WARRANTY.pageContent.repeat(8), [long]);
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(500);
});

function hit(originalName: string, pageContent: string, heading?: string): SearchHit {
  return {
    score: 1,
    pageContent,
    metadata: heading ? { originalName, heading } : { originalName },
  };
}

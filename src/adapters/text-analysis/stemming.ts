const IRREGULAR = new Map(
  `children child|men man|women woman|people person|feet foot|teeth tooth|mice mouse|knives knife
  lives life|leaves leaf|wives wife|bought buy|sold sell|paid pay|built build|won win|written write
  wrote write|began begin|begun begin|held hold|kept keep|left leave|lost lose|met meet|sent send
  spent spend|taught teach|thought think|took take|taken take|went go|gone go|given give|gave give
  chosen choose|chose choose|born birth|died death|die death|daily day|yearly year|weekly week
  monthly month|cost kost|costs kost`
    .split(/\||\n/)
    .map((pair) => pair.trim().split(' ') as [string, string]),
);

/** In characters. Longer texts are not words, and stemming them would be slow. */
const LONGEST = 100;

/**
 * A stemmer for English, German, French and Spanish at once, because the language of a chunk is not
 * known, and so that related words of two languages match (batteries, Batterie). A stem need not be a
 * word. Character n-grams compensate for forms with different stems.
 *
 * @param word folded, as returned by `wordsOf`
 */
export function stem(word: string): string {
  if (word.length < 4 || word.length > LONGEST || !/^[a-z]+$/.test(word)) return word;
  let whole = withoutUmlautSpelling(IRREGULAR.get(word) ?? word);
  for (;;) {
    const shorter = withoutEnding(withoutVowel(withoutPlural(whole)));
    if (shorter === whole) return whole;
    whole = shorter;
  }
}

const UMLAUTS = ['ae', 'oe', 'ue'];

/** Muenchen is München, which `fold` turns into munchen. */
function withoutUmlautSpelling(word: string): string {
  if (word.length < 5 || !UMLAUTS.some((pair) => word.includes(pair))) return word;
  return word.replace(/ae|oe(?!u)|(?<![aeoq])ue/g, (pair) => pair.charAt(0));
}

function withoutPlural(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}i`;
  if (word.endsWith('eaux')) return word.slice(0, -1);
  if (word.endsWith('aux')) return `${word.slice(0, -2)}l`;
  const isPlural = endsWithAfterOther(word, 's', 'siu') || word.endsWith('sses');
  return isPlural ? word.slice(0, -1) : word;
}

function withoutVowel(word: string): string {
  if (word.length > 3 && word.endsWith('e') && !word.endsWith('ee')) return word.slice(0, -1);
  if (endsWithAfterOther(word, 'y', 'aeiou')) return withoutVowel(`${word.slice(0, -1)}i`);
  return word.length > 4 && 'aio'.includes(word.charAt(word.length - 1)) ? word.slice(0, -1) : word;
}

/** Whether the word ends with a letter, and has a letter before it that is none of these. */
function endsWithAfterOther(word: string, letter: string, others: string): boolean {
  return word.endsWith(letter) && !others.includes(word.charAt(word.length - 2));
}

/** By their last letters: most words have none of those. */
type Endings = Map<string, string[]>;

const VERB_ENDINGS = byLastLetter(['ing', 'ed', 'ung', 'ungen']);
const OTHER_ENDINGS = byLastLetter(['er', 'en', 'em', 'ar', 'ir', 'ern', 'ent', 'ation', 'acion']);
const DOUBLED = /([bdfgmnprt])\1$/;

function withoutEnding(word: string): string {
  const verb = withoutOneOf(VERB_ENDINGS, word, 3);
  if (verb === undefined) return withoutOneOf(OTHER_ENDINGS, word, 4) ?? word;
  if (!/[aeiouy]/.test(verb)) return word;
  return DOUBLED.test(verb) ? verb.slice(0, -1) : verb;
}

/** @returns what is left of the word, if it has one of the endings and at least so many letters before it */
function withoutOneOf(endings: Endings, word: string, letters: number): string | undefined {
  for (const ending of endings.get(word.charAt(word.length - 1)) ?? []) {
    if (word.endsWith(ending) && word.length >= letters + ending.length) {
      return word.slice(0, -ending.length);
    }
  }
  return undefined;
}

function byLastLetter(endings: string[]): Endings {
  return Map.groupBy(endings, (ending) => ending.charAt(ending.length - 1));
}

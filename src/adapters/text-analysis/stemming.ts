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

/** Muenchen is München, which `fold` turns into munchen. */
function withoutUmlautSpelling(word: string): string {
  if (word.length < 5) return word;
  return word.replace(/ae|oe(?!u)|(?<![aeoq])ue/g, (pair) => pair.charAt(0));
}

function withoutPlural(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}i`;
  if (word.endsWith('eaux')) return word.slice(0, -1);
  if (word.endsWith('aux')) return `${word.slice(0, -2)}l`;
  return /[^siu]s$/.test(word) || word.endsWith('sses') ? word.slice(0, -1) : word;
}

function withoutVowel(word: string): string {
  if (word.length > 3 && word.endsWith('e') && !word.endsWith('ee')) return word.slice(0, -1);
  if (/[^aeiou]y$/.test(word)) return withoutVowel(`${word.slice(0, -1)}i`);
  return word.length > 4 && /[aio]$/.test(word) ? word.slice(0, -1) : word;
}

const ENDING = /^(.{3,})(?:ing|ed|ung|ungen)$|^(.{4,})(?:ation|acion|ment|ent|ern|er|en|em|ar|ir)$/;
const DOUBLED = /([bdfgmnprt])\1$/;

function withoutEnding(word: string): string {
  const [, verb, other] = ENDING.exec(word) ?? [];
  if (other !== undefined) return other;
  if (verb === undefined || !/[aeiouy]/.test(verb)) return word;
  return DOUBLED.test(verb) ? verb.slice(0, -1) : verb;
}

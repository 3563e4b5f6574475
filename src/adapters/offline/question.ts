import { stem } from '../text-analysis/stemming.ts';
import {
  fold,
  isCommon,
  isContent,
  languagesOf,
  weightOf,
  wordsOf,
} from '../text-analysis/words.ts';

/** What a question asks for. */
export interface Question {
  terms: Term[];
  /** What is asked of the rest: `population` in "the population of Berlin". */
  focus: Term | undefined;
  /** What the answer is: a number, an amount or a date; or somebody's name. */
  wants: 'number' | 'name' | undefined;
}

/** A word of a question that an answer should have. */
export interface Term {
  stem: string;
  weight: number;
  /** Names, codes and years: a text without them is about something else. */
  isName: boolean;
  /** Many texts have it, whatever they are about. */
  isCommon: boolean;
}

/** A longer question is read this far: each term is looked for in every sentence. */
const MOST_TERMS = 40;

/** Reads a question; one of function words only has no terms. */
export function readQuestion(question: string): Question {
  const names = namesIn(question);
  const terms = new Map<string, Term>();
  for (const word of wordsOf(question).filter(isContent)) {
    const common = isCommon(word);
    const isName = names.has(word) && !common;
    const emphasis = isName ? 1.2 : common ? 0.6 : 1;
    const weight = weightOf(word) * emphasis;
    terms.set(stem(word), { stem: stem(word), weight, isName, isCommon: common });
  }
  const telling = [...terms.values()].slice(0, MOST_TERMS);
  return {
    terms: telling,
    focus: telling.find(({ isName, isCommon }) => !isName && !isCommon),
    wants: kindOfAnswer(fold(question)),
  };
}

function kindOfAnswer(folded: string): Question['wants'] {
  if (ASKS_NUMBER.test(folded)) return 'number';
  return ASKS_NAME.test(folded) ? 'name' : undefined;
}

const ASKS_NAME = /\b(?:who|whom|whose|wer|wen|wem|qui|quien|quienes)\b|誰|谁|누구/;
const ASKS_NUMBER = new RegExp(
  [
    String.raw`\bhow (?:many|much|long|old|tall|high|big|large|far|heavy|often|fast|deep|wide)\b`,
    String.raw`\b(?:when|what (?:time|year|date|number)|which (?:year|day|date))\b`,
    String.raw`\bwie ?(?:viele?|hoch|lange?|gross|alt|oft|weit|schwer|teuer|schnell)\b|\bwann\b`,
    String.raw`\b(?:combien|quand|quelle? (?:heure|altitude|date|age|annee))\b`,
    String.raw`\b(?:cuant[oa]s?|cuando|que (?:hora|dia|fecha|ano))\b`,
    String.raw`\b(?:costs?|price|kostet|kosten|preis|cout\w*|prix|cuestan?|precio)\b`,
    '何[冊台時人円年月日分個歳メ]|いくら|いつ|多少|几|时候|얼마|몇|언제',
  ].join('|'),
);

/** The words that capitals or digits tell to be names. */
function namesIn(question: string): Set<string> {
  const tokens = question.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}.,'’-]*/gu) ?? [];
  const capitalised = tokens.filter((token) => /^\p{Lu}/u.test(token));
  const capitalsTell = capitalised.length <= Math.max(2, tokens.length * 0.6);
  const german = isGerman(question);

  const names = tokens.filter((token, i) => {
    const before = tokens[i - 1] ?? '';
    if (IS_CODE.test(token) || (/^\d/.test(token) && /^\p{Lu}/u.test(before))) return true;
    if (!capitalsTell || i === 0 || !/^\p{Lu}/u.test(token)) return false;
    // German nouns have capitals as well, but names seldom come with an article.
    return !german || !ARTICLE.test(before);
  });
  return new Set(names.flatMap(wordsOf));
}

/** E09, R290, 2019; but not 12, which a text may spell out (unless a name goes before it). */
const IS_CODE = /\p{L}\d|\d.*\d.*\d/u;
const ARTICLE =
  /^(?:d(?:er|ie|as|em|en|es)|k?ein(?:e[mnrs]?)?|viele?[rn]?|welche[mnrs]?|[mds]eine?[mnrs]?|pro|zu[mr]?|[ai]m|[a-zäöü]+e[nrs]?)$/;

function isGerman(question: string): boolean {
  const languages = wordsOf(question).flatMap(languagesOf);
  const german = languages.filter((language) => language === 'german').length;
  return german > 0 && german >= languages.length / 2;
}

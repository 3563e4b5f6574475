import { stem } from '../../text-analysis/stemming.ts';
import {
  fold,
  isCommon,
  isContent,
  languagesOf,
  weightOf,
  wordsOf,
} from '../../text-analysis/words.ts';
import { type AnswerKind, isFact, kindOfAnswer } from './answer-kinds.ts';

/** An analysed question. */
export interface Question {
  /** The whole question, folded. */
  folded: string;
  terms: Term[];
  /** `river` in "Which river ...?". A column or sentence that contains it is likely the answer. */
  sought: Term | undefined;
  /** The property asked for: `population` in "the population of Berlin". */
  focus: Term | undefined;
  /** Whether it asks what something is or does. */
  defines: boolean;
  /** What it asks to define: `max_size` in "What does the max_size option do?". */
  subject: Term | undefined;
  /** The expected kind of answer, such as a number or a name. */
  wants: AnswerKind | undefined;
  /** Identifiers in the question, such as `max_size`. */
  identifiers: Identifier[];
}

export interface Identifier {
  /** Folded. */
  text: string;
  /** The indexes of the terms that are its parts. */
  parts: number[];
}

/** A word of a question that an answer should contain. */
export interface Term {
  /** As it was asked, folded. */
  word: string;
  stem: string;
  /** How informative it is in general, 0 to 1. */
  weight: number;
  /** Whether it is a name, a code or a year. A text without it is about something else. */
  isName: boolean;
}

/** Bounds the work: each term is compared with every sentence. Further terms are ignored. */
const MOST_TERMS = 40;

/** Analyses a question. A question that consists of function words has no terms. */
export function readQuestion(question: string): Question {
  const folded = fold(question);
  const names = namesIn(question);
  const [, noun] = SOUGHT.exec(folded) ?? [];
  const terms = new Map<string, Term>();
  for (const word of wordsOf(withoutPhrases(question)).filter(isContent)) {
    const common = isCommon(word);
    const isName = names.has(word) && !common;
    const weight = Math.min(1, weightOf(word)) * (word === noun ? 0.5 : 1);
    terms.set(stem(word), { word, stem: stem(word), weight, isName });
  }
  const telling = [...terms.values()].slice(0, MOST_TERMS);
  const wants = kindOfAnswer(folded);
  return {
    folded: folded.trim(),
    terms: telling,
    sought: telling.find(({ word }) => word === noun),
    focus: isFact(wants) ? focusOf(folded, telling) : undefined,
    wants,
    defines: DEFINES.test(folded),
    subject: subjectOf(folded, telling),
    identifiers: identifiersIn(question, telling),
  };
}

/** The noun after "which" or "what". The answer may omit it, as for "Which command ...". */
const SOUGHT =
  /\b(?:which|what|welche[mnrs]?|quel(?:le)?s?|que|cual(?:es)?) (?:of the )?(\p{L}+)\b/u;
/** The noun that is counted. */
const COUNTED =
  /\b(?:how (?:many|much)|(?:number|amount|count) of|wie ?viele?|combien d[e'’]s?|cuant[oa]s?) ?(\p{L}+)\b/u;

/** The noun that is counted or, without one, the first informative term that is not a name. */
function focusOf(folded: string, terms: Term[]): Term | undefined {
  const counted = COUNTED.exec(folded)?.[1];
  const found = counted && terms.find(({ word }) => word === counted);
  return found || terms.find(({ isName, weight }) => !isName && weight > 0.5);
}

const DEFINES =
  /^(?:what(?: is|'s| are| does) |was (?:ist|sind|bedeutet) |qu'est-ce |que (?:fait|es|son|hace|significa) )/;

const IDENTIFIER =
  /(?<![\p{L}\d_.])(?:[\p{L}\d]{1,60}(?:[_.]\p{L}[\p{L}\d]{0,60})+|\p{L}{1,60}\/\d+)/gu;

/**
 * Phrasal verbs, whose second word would be dropped as a function word; and words that ask for a duration,
 * which no answer contains.
 */
const PHRASES: [RegExp, string][] = [
  [/\bcombien de temps\b/gi, 'combien'],
  [/\bcu[aá]nto tiempo\b/gi, 'cuánto'],
  [/\b(?:turn|switch)(?:ed|ing|s)? (.{0,30}?)\boff\b/gi, 'disable $1'],
  [/\b(?:turn|switch)(?:ed|ing|s)? (.{0,30}?)\bon\b/gi, 'enable $1'],
  [/\bget(?:ting)? rid of\b/gi, 'remove'],
];

function withoutPhrases(question: string): string {
  return PHRASES.reduce((text, [phrase, verb]) => text.replace(phrase, verb), question);
}

/** What is to be defined is at the start of the question, and probably of the answer. */
function subjectOf(folded: string, terms: Term[]): Term | undefined {
  if (!DEFINES.test(folded)) return undefined;
  const words = new Set(wordsOf(folded.replace(DEFINES, '')));
  return terms.find(({ word }) => words.has(word));
}

/** Identifiers and protocol versions, which `wordsOf` splits. */
function identifiersIn(question: string, terms: Term[]): Identifier[] {
  const found = question.match(IDENTIFIER) ?? [];
  return found.map((identifier) => {
    const words = wordsOf(identifier).map(stem);
    const parts = terms.flatMap((term, at) => (words.includes(term.stem) ? at : []));
    return { text: fold(identifier), parts };
  });
}

/** Words that are names, judging by capitals and digits. */
function namesIn(question: string): Set<string> {
  const tokens = question.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}_.,'’-]*/gu) ?? [];
  const capitalised = tokens.slice(1).filter((token) => /^\p{Lu}/u.test(token));
  const capitalsTell = capitalised.length <= Math.max(2, tokens.length * 0.6);
  const german = isGerman(question);

  const names = tokens.filter((token, i) => {
    const before = tokens[i - 1] ?? '';
    // An identifier is what the question is about. It does not say where to search.
    if (token.includes('_')) return false;
    if (IS_CODE.test(token) || (/^\d/.test(token) && /^\p{Lu}/u.test(before))) return true;
    if (!capitalsTell || i === 0 || !/^\p{Lu}/u.test(token)) return false;
    // All German nouns are capitalised, but names rarely follow an article.
    return !german || !ARTICLE.test(before);
  });
  return new Set(names.flatMap(wordsOf));
}

/** E09, R290, 2019; but not 12, which a text may spell out. */
const IS_CODE = /\p{L}\d|\d.*\d.*\d/u;
const ARTICLE =
  /^(?:d(?:er|ie|as|em|en|es)|k?ein(?:e[mnrs]?)?|viele?[rn]?|welche[mnrs]?|[mds]eine?[mnrs]?|pro|zu[mr]?|[ai]m|[a-zäöü]+e[nrs]?)$/;

function isGerman(question: string): boolean {
  const languages = wordsOf(question).flatMap(languagesOf);
  const german = languages.filter((language) => language === 'german').length;
  return german > 0 && german >= languages.length / 2;
}

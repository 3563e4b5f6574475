import { type AnswerKind, looksLike } from './answer-kinds.ts';
import { isCommand } from './lines.ts';
import type { MatchedSentence, MatchedSource } from './matched-source.ts';
import { best, NAMED, share, times } from './matches.ts';
import type { Question } from './question.ts';

/** The least share that the sentence, its label and its headings must have by themselves. */
const LEAST_OWN_SHARE = 0.3;
/** The factor for a term found elsewhere in the source. */
const CREDIT_OF_SOURCE = 0.2;
/** Added to the matched share of the question's weight. */
const BONUS = {
  kind: 0.08,
  states: 0.08,
  subject: 0.07,
  sought: 0.08,
  density: 0.055,
  pair: -0.04,
};
/** Subtracted if the sentence contains no answer of the expected kind. */
const COST_OF_OTHER_KIND: Record<AnswerKind, number> = {
  number: 0.12,
  year: 0.12,
  duration: 0.12,
  version: 0.12,
  flag: 0.06,
  variable: 0.12,
  function: 0.06,
  command: 0.06,
  called: 0.06,
  place: 0.06,
  name: 0.06,
  default: 0.06,
};
const COST_OF_LACKING_FOCUS = 0.25;
const COST_OF_CHARACTER = 0.0004;
const COST_OF_RANK = 0.005;
/** Factors for sentences that are rarely answers. */
const FACTOR = { heading: 0.6, nothingNew: 0.6, refers: 0.6, code: 0.85, cutCode: 0.6 };

/** About 0 (matches no term) to 1 (matches all). */
export type Score = (sentences: MatchedSentence[], source: MatchedSource) => number;

/**
 * Scores a sentence, or two consecutive ones, by the matched share of the question's weight and by
 * how much they look like an answer.
 */
export function createScore(
  { terms, focus, sought, subject, wants, defines }: Question,
  weights: number[],
): Score {
  const asked = new Set(terms.map(({ stem }) => stem));
  const defined = subject && terms.indexOf(subject);
  const heaviest = weights.indexOf(Math.max(...weights));

  return (sentences, source) => {
    const { anywhere, rank } = source;
    const [first] = sentences as [MatchedSentence];
    const announced = announcedBy(sentences, source);
    const near = best(
      ...sentences.map(({ near }) => near),
      ...announced.map(({ matches }) => matches),
    );
    if (share(best(...sentences.map(({ own }) => own)), weights) < LEAST_OWN_SHARE) return 0;
    const text = sentences.map(({ text }) => text).join(' ');
    const contentStems = sentences.reduce(
      (all, one) => all.union(one.contentStems),
      new Set<string>(),
    );

    let score = share(best(near, times(anywhere, CREDIT_OF_SOURCE)), weights);
    if (first.announces) score *= FACTOR.heading;
    if (REFERS.test(first.text)) score *= FACTOR.refers;
    if (focus && !near[terms.indexOf(focus)]) score -= COST_OF_LACKING_FOCUS;
    if (wants) {
      const isKind = [...sentences, ...announced].some((sentence) => looksLike(wants, sentence));
      score += isKind ? BONUS.kind : -COST_OF_OTHER_KIND[wants];
      if (wants === 'command' && first.isCode && isCommand(first.text)) score += BONUS.states;
      if (wants === 'default' && sentences.some(({ text }) => STATES_DEFAULT.test(text)))
        score += BONUS.states;
    }
    if (defines && (first.start[heaviest] ?? 0) > NAMED) score += BONUS.subject;
    if (defined !== undefined && (first.head[defined] ?? 0) > NAMED) score += BONUS.subject;
    if (sought && (near[terms.indexOf(sought)] ?? 0) > NAMED) score += BONUS.sought;
    if (sentences.length > 1) score += BONUS.pair;
    score -= rank * COST_OF_RANK;
    score -= text.length * COST_OF_CHARACTER;
    if (first.isCode) score *= factorOfCode(text);
    score +=
      (BONUS.density * contentStems.intersection(asked).size) / Math.max(1, contentStems.size);
    const isNew = contentStems.size === 0 || !contentStems.isSubsetOf(asked);
    return isNew ? score : score * FACTOR.nothingNew;
  };
}

/** The sentence after one that ends with a colon. */
function announcedBy(sentences: MatchedSentence[], source: MatchedSource): MatchedSentence[] {
  const last = sentences.at(-1);
  if (!last || !/[:：]$/.test(last.text)) return [];
  const at = source.sentences.indexOf(last);
  return source.sentences.slice(at + 1, at + 2).filter(({ announces }) => !announces);
}

/** States a default value, rather than a default behavior. */
const STATES_DEFAULT =
  /\bdefaults?(?: values?| settings?)?(?:\)? ?[:=]| (?:is|are|to)\b)|\b(?:is|are|set to) \S+ by default|\bvoreinstellung:|\bpar défaut ?:/i;

/** A reference to further reading. */
const REFERS =
  /^(?:see|for more|for (?:an|further|complete)|learn more|read (?:more|the)|refer to|check out|siehe|vgl\.|voir|véase)\b/i;

/** A command is an answer by itself, a line of source code rarely, an incomplete statement hardly ever. */
function factorOfCode(line: string): number {
  if (isCommand(line)) return 1;
  return /[{([,]$/.test(line) ? FACTOR.cutCode : FACTOR.code;
}

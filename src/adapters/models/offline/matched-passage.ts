import { best, type Matches, times } from './matches.ts';
import { type Sentence, sentencesOf } from './sentences.ts';
import type { TermMatcher } from './term-matcher.ts';

/** A text to find answers in. */
export interface Passage {
  text: string;
  /** The name of its file. */
  file: string;
  /** What it stands below in its file, joined by ` > `; empty when there is nothing. */
  heading: string;
}

/** A passage, and what of the question is found where in it. */
export interface MatchedPassage {
  file: string;
  /** Among the passages: 0 is the best. */
  rank: number;
  sentences: MatchedSentence[];
  anywhere: Matches;
}

export interface MatchedSentence extends Sentence {
  /** In the sentence. */
  matches: Matches;
  /** In its first words or its label: it is about that. */
  start: Matches;
  /** In its first two words, or in its label. */
  head: Matches;
  /** The stems of what it says. */
  told: Set<string>;
  /** In the sentence, its label and its headings. */
  own: Matches;
  /** There, or in the sentence before, or in the file's name. */
  near: Matches;
  /** The label or heading that has what the sentence lacks; empty when none has. */
  under: string;
}

/** A heading that is the name of a setting, a function or a flag helps wherever it stands above. */
const IS_NAME = /^[`\w$@.()/-]*(?:[\p{Ll}\d]\p{Lu}|[_$@()]|\w-\w|^--?\w|\w\.\w)[`\w$@.()/-]*$/u;
/** What it is worth to find a term beside the sentence rather than in it. */
const CREDIT = { label: 1.0, heading: 0.85, topic: 0.7, path: 0.4, before: 0.5, fileName: 0.5 };
/** A label or heading helps when it has a term better than the sentence by this. */
const HELPS = 0.3;
/** Looks for the terms of a question in a passage, sentence by sentence. */
export function matchPassage(
  { text, file, heading: path }: Passage,
  match: TermMatcher,
  rank: number,
): MatchedPassage {
  const fileName = match(file).matches;
  const above = match(path).matches;
  const headings = path.split(' > ');
  let heading = headings.at(-1) ?? '';
  let headed = match(heading).matches;
  let before: Matches = [];

  const sentences: MatchedSentence[] = [];
  for (const sentence of sentencesOf(text, headings)) {
    const { matches, start, head, told } = match(sentence.text);
    const topic = sentences[sentence.topic ?? -1]?.own ?? [];
    const label = match(sentence.label).matches;
    const own = sentence.announces
      ? matches
      : best(
          matches,
          times(label, CREDIT.label),
          times(headed, CREDIT.heading),
          times(topic, CREDIT.topic),
          times(above, CREDIT.path),
        );
    const near = sentence.isRow
      ? own
      : best(own, times(before, CREDIT.before), times(fileName, CREDIT.fileName));
    const helpers = [
      { text: sentence.label, adds: helps(label, matches) },
      { text: heading, adds: helps(headed, matches) },
    ];
    const helper = sentence.announces ? undefined : helpers.find(({ adds }) => adds);
    if (sentence.announces) [heading, headed] = [sentence.text, matches];
    before = matches;
    const named = sentence.announces || !IS_NAME.test(heading) ? '' : heading;
    const under = helper?.text || sentence.label || named;
    const isFirst = sentences.at(-1)?.announces;
    const found = {
      matches,
      start: best(start, label, isFirst ? headed : []),
      head: best(head, label),
      told,
      own,
      near,
      under,
    };
    sentences.push({ ...sentence, ...found });
  }
  const anywhere = best(fileName, above, ...sentences.map(({ matches }) => matches));
  return { file, rank, sentences, anywhere };
}

function helps(matches: Matches, stated: Matches): boolean {
  return matches.some((match, term) => match > (stated[term] ?? 0) + HELPS);
}

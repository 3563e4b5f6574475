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
  sentences: MatchedSentence[];
  anywhere: Matches;
}

export interface MatchedSentence extends Sentence {
  /** In the sentence. */
  matches: Matches;
  /** In its first words or its label: it is about that. */
  start: Matches;
  /** The stems of what it says. */
  told: Set<string>;
  /** In the sentence, its label and its headings. */
  own: Matches;
  /** There, or in the sentence before, or in the file's name. */
  near: Matches;
  /** The label or heading that has what the sentence lacks; empty when none has. */
  under: string;
}

/** What it is worth to find a term beside the sentence rather than in it. */
const CREDIT = { label: 1, heading: 0.85, path: 0.4, before: 0.5, fileName: 0.5 };
/** A label or heading helps when it has a term better than the sentence by this. */
const HELPS = 0.3;
/** Looks for the terms of a question in a passage, sentence by sentence. */
export function matchPassage(
  { text, file, heading: path }: Passage,
  match: TermMatcher,
): MatchedPassage {
  const fileName = match(file).matches;
  const above = match(path).matches;
  let heading = path.split(' > ').at(-1) ?? '';
  let headed = match(heading).matches;
  let before: Matches = [];

  const sentences = sentencesOf(text).map((sentence): MatchedSentence => {
    const { matches, start, told } = match(sentence.text);
    const label = match(sentence.label).matches;
    const own = sentence.announces
      ? matches
      : best(
          matches,
          times(label, CREDIT.label),
          times(headed, CREDIT.heading),
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
    const under = helper?.text || sentence.label;
    return { ...sentence, matches, start: best(start, label), told, own, near, under };
  });
  const anywhere = best(fileName, above, ...sentences.map(({ matches }) => matches));
  return { file, sentences, anywhere };
}

function helps(matches: Matches, stated: Matches): boolean {
  return matches.some((match, term) => match > (stated[term] ?? 0) + HELPS);
}

import { best, type Matches, times } from './matches.ts';
import { type Sentence, sentencesOf } from './sentences.ts';
import type { TermMatcher } from './term-matcher.ts';

/** A text that may answer a question. */
export interface Source {
  text: string;
  /** The name of its file. */
  file: string;
  /** The headings above it in its file, joined by ` > `; may be empty. */
  heading: string;
}

/** A source, and where in it the terms of a question occur. */
export interface MatchedSource {
  file: string;
  /** Its rank among the sources: 0 is the best. */
  rank: number;
  sentences: MatchedSentence[];
  anywhere: Matches;
}

export interface MatchedSentence extends Sentence {
  /** In the sentence. */
  matches: Matches;
  /** In its first eight words or its label: its topic. */
  start: Matches;
  /** In its first two words, or in its label. */
  head: Matches;
  /** The stems of its content words. */
  contentStems: Set<string>;
  /** In the sentence, its label and its headings. */
  own: Matches;
  /** In `own`, the sentence before, or the name of the file. */
  near: Matches;
  /** The label or heading that contains terms missing from the sentence; may be empty. */
  under: string;
}

/** A heading that is the name of a setting, a function or a flag is quoted with every sentence. */
const IS_IDENTIFIER =
  /^[`\w$@.()/-]*(?:[\p{Ll}\d]\p{Lu}|[_$@()]|\w-\w|^--?\w|\w\.\w)[`\w$@.()/-]*$/u;
/** The factor for a term found near the sentence rather than in it. */
const CREDIT = { label: 1.0, heading: 0.85, topic: 0.7, path: 0.4, before: 0.5, fileName: 0.5 };
/** A label or heading is needed if it matches a term better than the sentence by this. */
const NEEDED_DIFFERENCE = 0.3;

/** Finds the terms of a question in a source, sentence by sentence. */
export function matchSource(
  { text, file, heading: path }: Source,
  match: TermMatcher,
  rank: number,
): MatchedSource {
  const fileName = match(file).matches;
  const above = match(path).matches;
  const headings = path.split(' > ');
  let heading = headings.at(-1) ?? '';
  let headed = match(heading).matches;
  let before: Matches = [];

  const sentences: MatchedSentence[] = [];
  for (const sentence of sentencesOf(text, headings)) {
    const { matches, start, head, contentStems } = match(sentence.text);
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
    const named = sentence.announces || !IS_IDENTIFIER.test(heading) ? '' : heading;
    const under = helper?.text || sentence.label || named;
    const isFirst = sentences.at(-1)?.announces;
    const found = {
      matches,
      start: best(start, label, isFirst ? headed : []),
      head: best(head, label),
      contentStems,
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
  return matches.some((match, term) => match > (stated[term] ?? 0) + NEEDED_DIFFERENCE);
}

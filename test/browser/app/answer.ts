import type { AskSubscription, CitedFragment } from '../../generated/frontend.ts';

/** An answer, as far as it has come. */
export interface Answer {
  text: string;
  citations: CitedFragment[];
  isComplete: boolean;
}

export const NO_ANSWER: Answer = { text: '', citations: [], isComplete: false };

/** The answer after an event. */
export function grow(answer: Answer, event: AskSubscription['askQuestion']): Answer {
  switch (event.__typename) {
    case 'AnswerDelta':
      return { ...answer, text: answer.text + event.delta };
    case 'AnswerCitation':
      return { ...answer, citations: [...answer.citations, event.citation] };
    case 'AnswerCompleted':
      return { text: event.result, citations: event.citations, isComplete: true };
    default:
      return answer;
  }
}

/** A part of an answer, and the citations that stand behind it. */
export interface Part<Citation> {
  text: string;
  citations: Citation[];
}

/** The text, cut where statements end that have citations. */
export function partsOf<Citation extends { end: number }>({
  text,
  citations,
}: Part<Citation>): Part<Citation>[] {
  const ends = [...new Set(citations.map(({ end }) => end))].sort((a, b) => a - b);
  return [...ends, text.length].map((end, index) => ({
    text: text.slice(ends[index - 1] ?? 0, end),
    citations: index < ends.length ? citations.filter((citation) => citation.end === end) : [],
  }));
}

import type { CitedSourceFragment, SourceFragment } from '../../generated/playground.ts';
import type { AnswerEvent } from '../api/gateway.ts';

/** An answer, as far as it has come. */
export interface Answer {
  text: string;
  /** The passages it is based on, best first. */
  sources: SourceFragment[];
  citations: CitedSourceFragment[];
  isComplete: boolean;
}

export const NO_ANSWER: Answer = { text: '', sources: [], citations: [], isComplete: false };

/** The answer after an event. */
export function grow(answer: Answer, event: AnswerEvent): Answer {
  switch (event.__typename) {
    case 'AnswerSources':
      return { ...answer, sources: event.sources };
    case 'AnswerDelta':
      return { ...answer, text: answer.text + event.delta };
    case 'AnswerCitation':
      return { ...answer, citations: [...answer.citations, event.citation] };
    case 'AnswerCompleted':
      return {
        ...answer,
        text: event.result,
        citations: event.citations,
        isComplete: true,
      };
  }
}

/** A statement of an answer that names a source. */
export interface Mark {
  /** The number of the source, from 1. */
  number: number;
  source: SourceFragment;
  statement: string;
  /** Whether the words of the source carry the statement. */
  supported: boolean;
}

/** A passage that is looked at, and the statement that cites it. */
export interface Opened {
  source: SourceFragment;
  statement?: string;
  supported?: boolean;
}

/** A part of an answer, and the marks that stand behind it. */
export interface Part {
  text: string;
  marks: Mark[];
}

/** The text, cut where statements end that have citations. */
export function partsOf({ text, sources, citations }: Answer): Part[] {
  const ends = [...new Set(citations.map(({ end }) => end))].sort((a, b) => a - b);
  return [...ends, text.length].map((end, index) => ({
    text: text.slice(ends[index - 1] ?? 0, end),
    marks: index < ends.length ? citations.filter((each) => each.end === end).map(toMark) : [],
  }));

  function toMark({ start, end, hit, supported }: CitedSourceFragment): Mark {
    const number = sources.findIndex((source) => isSame(source, hit)) + 1;
    return { number, source: hit, statement: text.slice(start, end), supported };
  }
}

/** Whether an answer cites a source. */
export function isCited({ citations }: Answer, source: SourceFragment): boolean {
  return citations.some(({ hit }) => isSame(hit, source));
}

/** Two chunks of a file may have the same text, but not in the same place. */
function isSame(one: SourceFragment, other: SourceFragment): boolean {
  return (
    one.fileId === other.fileId &&
    one.pageContent === other.pageContent &&
    JSON.stringify(one.location) === JSON.stringify(other.location)
  );
}

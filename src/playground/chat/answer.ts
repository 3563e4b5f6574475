import type { CitedSourceFragment, SourceFragment } from '../../generated/playground.ts';
import type { AnswerEvent } from '../api/gateway.ts';
import { type Block, readMarkdown, type Span } from './markdown.ts';

/** An answer, as far as it has been received. */
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
  /** Whether the words of the source support the statement. */
  supported: boolean;
}

/** A passage that is shown, and the statement that cites it. */
export interface Opened {
  source: SourceFragment;
  statement?: string;
  supported?: boolean;
}

/** A part of an answer, and the marks after it. */
export interface Part extends Pick<Span, 'style'> {
  text: string;
  marks: Mark[];
}

/** The blocks of the text, in parts that are cut where statements end that have citations. */
export function blocksOf(answer: Answer): (Block & { parts: Part[] })[] {
  const { text } = answer;
  const waiting = marksOf(answer);
  const blocks = readMarkdown(text);
  const starts = blocks.flatMap(({ spans }) => spans.map(({ start }) => start));
  return blocks.map((block) => ({ ...block, parts: block.spans.flatMap(partsOf) }));

  function partsOf({ start, end, style }: Span): Part[] {
    starts.shift();
    const [next = Number.POSITIVE_INFINITY] = starts;
    const parts: Part[] = [];
    let from = start;
    // A statement may end at a sign of Markdown, which is not shown.
    while (waiting[0] && waiting[0].at <= next) {
      const { at, marks } = waiting[0];
      const to = Math.max(from, Math.min(at, end));
      parts.push({ text: text.slice(from, to), style, marks });
      from = to;
      waiting.shift();
    }
    if (from < end) parts.push({ text: text.slice(from, end), style, marks: [] });
    return parts;
  }
}

/** The marks by their position in the text, in ascending order. */
function marksOf({ text, sources, citations }: Answer): { at: number; marks: Mark[] }[] {
  const ends = [...new Set(citations.map(({ end }) => end))].sort((a, b) => a - b);
  return ends.map((at) => ({
    at,
    marks: citations.filter(({ end }) => end === at).map(toMark),
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

/** Two chunks of a file may have the same text, but not at the same location. */
function isSame(one: SourceFragment, other: SourceFragment): boolean {
  return (
    one.fileId === other.fileId &&
    one.pageContent === other.pageContent &&
    JSON.stringify(one.location) === JSON.stringify(other.location)
  );
}

import type { SearchHit } from './model.ts';

/** A statement of an answer, and one of the sources that the model cited for it. */
export interface Citation {
  /** Where the statement begins in the text of the answer, in UTF-16 code units. */
  start: number;
  /** Where it ends, exclusive: `result.slice(start, end)` is the statement. */
  end: number;
  /** One of the sources of the answer. */
  hit: SearchHit;
  /** Whether the passage supports the statement, as far as a comparison of their words can tell. */
  supported: boolean;
}

export interface Answer {
  /** The text, without the marks of citations. */
  result: string;
  /** Best first. */
  sources: SearchHit[];
  /** In the order of the text. */
  citations: Citation[];
}

/** A turn of the conversation before a question. */
export interface Turn {
  role: 'user' | 'assistant';
  content: string;
}

/**
 * The events of an answer: the sources, then parts of the text, then the whole. A citation follows
 * the part of the text that ends its statement.
 */
export type AnswerEvent =
  | { type: 'sources'; sources: SearchHit[] }
  | { type: 'delta'; delta: string }
  | { type: 'citation'; citation: Citation }
  | ({ type: 'completed' } & Omit<Answer, 'sources'>);

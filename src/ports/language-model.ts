import type { Turn } from '../core/answer.ts';
import type { AnswerPiece } from '../core/citation-marks.ts';
import type { DocumentFrequencies, SearchHit } from '../core/model.ts';

/** An embedding: `DIMENSIONS` numbers. */
export type Vector = Float32Array;

/**
 * Converts texts to vectors of `DIMENSIONS` numbers whose cosine is the similarity of the texts.
 */
export interface EmbeddingModel {
  /** The name of the model, which is stored with each dataset. */
  readonly name: string;
  embedQuestion(question: string, signal?: AbortSignal): Promise<Vector>;
  embedTexts(texts: string[], signal?: AbortSignal): Promise<Vector[]>;
  /** Rejects, with a reason for the operator, if the model cannot be used. */
  check(): Promise<void>;
}

/** The input of an answer model. */
export interface Prompt {
  /** How to answer. */
  instructions: string;
  /** Context and question as one message. */
  message: string;
  /** The parts of `message`. */
  question: string;
  sources: SearchHit[];
  /** How common words are in the dataset, for models that weight words themselves; queried on each call. */
  documentFrequencies(words: string[]): Promise<DocumentFrequencies>;
}

/** A question that continues a conversation, and how to rewrite it. */
export interface FollowUp {
  /** How to rewrite it. */
  instructions: string;
  /** Conversation and question as one message. */
  message: string;
  /** The parts of `message`. */
  question: string;
  /** Oldest first; not empty. */
  history: Turn[];
}

/** Generates answers. */
export interface AnswerModel {
  readonly name: string;
  /** Streams the answer with its citations; the signal cancels it. */
  answer(prompt: Prompt, signal: AbortSignal): AsyncIterable<AnswerPiece>;
  /** Rewrites a follow-up as a standalone question. */
  rewrite(followUp: FollowUp, signal: AbortSignal): Promise<string>;
  /** Rejects, with a reason for the operator, if the model cannot be used. */
  check(): Promise<void>;
}

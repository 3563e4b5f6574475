import type { DocumentFrequencies, SearchHit } from '../core/model.ts';

/** Dimensions of every embedding, as the contract says. */
export type Vector = Float32Array;

/** Turns texts into vectors of 1536 dimensions whose cosine is their similarity. */
export interface EmbeddingModel {
  /** Names the model; datasets remember it. */
  readonly name: string;
  embedQuestion(question: string, signal?: AbortSignal): Promise<Vector>;
  embedTexts(texts: string[], signal?: AbortSignal): Promise<Vector[]>;
  /** Rejects, with a reason for the operator, when the model cannot be used. */
  check(): Promise<void>;
}

/** What a model answers from. */
export interface Prompt {
  /** How to answer. */
  instructions: string;
  /** Context and question as the model reads them. */
  message: string;
  /** The same, in parts. */
  question: string;
  sources: SearchHit[];
  /** How common words are in the dataset; read when it is called, for models that weigh words themselves. */
  documentFrequencies(words: string[]): Promise<DocumentFrequencies>;
}

/** Writes answers. */
export interface AnswerModel {
  readonly name: string;
  /** The answer, piece by piece; the signal ends the work at once. */
  answer(prompt: Prompt, signal: AbortSignal): AsyncIterable<string>;
  /** Rejects, with a reason for the operator, when the model cannot be used. */
  check(): Promise<void>;
}

import type { SearchHit } from '../core/model.ts';

/**
 * Decides whether passages of documents, together, support a statement. It is quick and synchronous: it
 * is called for every citation while an answer is streamed.
 */
export type SupportsStatement = (statement: string, passages: SearchHit[]) => boolean;

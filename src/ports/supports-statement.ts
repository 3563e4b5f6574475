import type { SearchHit } from '../core/model.ts';

/**
 * Tells whether passages of documents, together, carry a statement. It is quick and synchronous: it
 * is called for every citation while an answer is streamed.
 */
export type SupportsStatement = (statement: string, passages: SearchHit[]) => boolean;

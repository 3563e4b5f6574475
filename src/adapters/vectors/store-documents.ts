import { Document } from '@langchain/core/documents';
import { isStorable, isStorableJson } from '../../core/is-storable.ts';
import type { JsonObject } from '../../core/model.ts';
import type { AddOptions, StoreFilter } from './dataset-store.ts';
import { isScalar } from './filter-hashes.ts';
import type { Hit } from './nearest-statements.ts';

/* Converts the arguments and results of a LangChain vector store to and from chunks, filters and hits. */

/** A hit as LangChain has it: with its cosine similarity. */
export type Scored = [Document, number];

export function toScored({ key, content, metadata, score }: Hit): Scored {
  return [new Document({ id: key, pageContent: content, metadata }), score];
}

export function refuseIds(options: AddOptions | undefined): void {
  if (options?.ids) throw new Error('The database makes the ids: documents are added without.');
}

export function toChunk({ pageContent, metadata }: Document): {
  content: string;
  metadata: JsonObject;
} {
  if (!isStorable(pageContent) || !isStorableJson(metadata)) {
    throw new Error(
      'A document has text that is not readable Unicode, or numbers that are no JSON.',
    );
  }
  // Filters match its JSON form: a date is a text.
  return { content: pageContent, metadata: JSON.parse(JSON.stringify(metadata)) };
}

export function readFilter(filter: StoreFilter = {}): StoreFilter {
  for (const [key, value] of Object.entries(filter)) {
    if (!isScalar(value)) {
      throw new Error(`The filter of ${JSON.stringify(key)} is not a plain value.`);
    }
  }
  return filter;
}

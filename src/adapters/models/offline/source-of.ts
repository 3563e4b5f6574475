import type { Json, SearchHit } from '../../../core/model.ts';
import type { Source } from './matched-source.ts';

/** A hit as a text with the name of its file and its headings. */
export function sourceOf({ pageContent, metadata }: SearchHit): Source {
  const { originalName, heading } = metadata;
  return { text: pageContent, file: asText(originalName), heading: asText(heading) };
}

function asText(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

import { randomUUID } from 'node:crypto';
import type { AnswerEvent, Citation } from '../core/answer.ts';
import type { SearchHit } from '../core/model.ts';
import { sourceIndex } from '../http/source-index.ts';

/** The id of the text part; a message has one. */
const TEXT = 'answer';

/** Writes the events of an answer as parts of a message: the sources, the text, its citations. */
export function createWriteParts() {
  let sources: SearchHit[] = [];
  let citationCount = 0;

  return (event: AnswerEvent): string[] => {
    switch (event.type) {
      case 'sources':
        sources = event.sources;
        return [
          write({ type: 'start', messageId: randomUUID() }),
          ...sources.map((source, index) => write(presentSource(source, index))),
          write({ type: 'text-start', id: TEXT }),
        ];
      case 'delta':
        return [write({ type: 'text-delta', id: TEXT, delta: event.delta })];
      case 'citation': {
        const id = `citation-${citationCount++}`;
        const data = presentCitation(event.citation, sources);
        return [write({ type: 'data-citation', id, data })];
      }
      case 'completed':
        return [write({ type: 'text-end', id: TEXT }), write({ type: 'finish' }), DONE];
    }
  };
}

/** The last part of a stream that fails. */
export function writeFailure(errorText: string): string[] {
  return [write({ type: 'error', errorText }), DONE];
}

const DONE = '[DONE]';

function write(part: object): string {
  return JSON.stringify(part);
}

function presentSource({ score, pageContent, metadata }: SearchHit, index: number) {
  const { originalName, mimeType } = metadata;
  return {
    type: 'source-document',
    sourceId: sourceId(index),
    mediaType: typeof mimeType === 'string' ? mimeType : 'application/octet-stream',
    title: String(originalName),
    filename: String(originalName),
    providerMetadata: { filequery: { score, pageContent, metadata } },
  };
}

function presentCitation({ start, end, hit, supported }: Citation, sources: SearchHit[]) {
  return { start, end, sourceId: sourceId(sourceIndex(sources, hit)), supported };
}

function sourceId(index: number): string {
  return `source-${index}`;
}

import { randomUUID } from 'node:crypto';
import type { Answer, AnswerEvent, Citation } from '../core/answer.ts';
import type { SearchHit } from '../core/model.ts';
import { estimateTokens } from '../core/token-estimate.ts';
import { fileUrl } from '../http/file-url.ts';
import { sourceIndex } from '../http/source-index.ts';
import type { ChatRequest } from './read-request.ts';

/** A whole answer as a chat completion, with its sources. */
export function presentCompletion(
  { result, sources, citations }: Answer,
  request: ChatRequest,
  publicUrl: string,
) {
  const annotations = presentCitations(citations, sources, publicUrl);
  const message = { role: 'assistant', content: result, refusal: null, annotations };
  return {
    ...envelope('chat.completion', request),
    choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
    usage: presentUsage(result, request),
    sources,
  };
}

/**
 * Writes the events of an answer as chunks: the text, all annotations in one chunk, and the sources with the
 * end. OpenAI's packages put the chunks together as a message, and lists in several chunks get lost there.
 */
export function createWriteChunks(request: ChatRequest, publicUrl: string) {
  const shared = {
    ...envelope('chat.completion.chunk', request),
    ...(request.includeUsage && { usage: null }),
  };
  let sources: SearchHit[] = [];

  return (event: AnswerEvent): string[] => {
    switch (event.type) {
      case 'sources':
        sources = event.sources;
        return [chunk({ role: 'assistant', content: '', refusal: null })];
      case 'delta':
        return [chunk({ content: event.delta })];
      case 'citation':
        return [];
      case 'completed':
        return [
          ...annotationsOf(event.citations),
          chunk({}, { sources }),
          ...usageOf(event.result),
          '[DONE]',
        ];
    }
  };

  function chunk(delta: object, end?: { sources: SearchHit[] }): string {
    const choice = { index: 0, delta, logprobs: null, finish_reason: end ? 'stop' : null };
    return JSON.stringify({ ...shared, choices: [choice], ...end });
  }

  function annotationsOf(citations: Citation[]): string[] {
    if (citations.length === 0) return [];
    return [chunk({ annotations: presentCitations(citations, sources, publicUrl) })];
  }

  function usageOf(result: string): string[] {
    if (!request.includeUsage) return [];
    return [JSON.stringify({ ...shared, choices: [], usage: presentUsage(result, request) })];
  }
}

function envelope(object: string, { model }: ChatRequest) {
  return {
    id: `chatcmpl-${randomUUID()}`,
    object,
    created: Math.floor(Date.now() / 1000),
    model,
  };
}

/** The numbers are estimated from the lengths of the texts; the price of an answer is in credits. */
function presentUsage(result: string, { promptTokens }: ChatRequest) {
  const completionTokens = estimateTokens(result);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}

function presentCitations(citations: Citation[], sources: SearchHit[], publicUrl: string) {
  return citations.map((one) => presentCitation(one, sources, publicUrl));
}

/** `source` is the index of the cited chunk in the sources, from 0. */
function presentCitation(
  { start, end, hit, supported }: Citation,
  sources: SearchHit[],
  publicUrl: string,
) {
  const { fileId, datasetId, originalName } = hit.metadata;
  const file = { fileId: String(fileId), datasetId: String(datasetId) };
  return {
    type: 'url_citation',
    url_citation: {
      start_index: start,
      end_index: end,
      title: String(originalName),
      url: fileUrl(file, publicUrl),
    },
    source: sourceIndex(sources, hit),
    supported,
  };
}

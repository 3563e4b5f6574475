import { setImmediate } from 'node:timers/promises';
import type { DocumentFrequencies, Json, SearchHit } from '../../../core/model.ts';
import type { AnswerModel } from '../../../ports/language-model.ts';
import type { Passage } from './matched-passage.ts';
import { type Question, readQuestion } from './question.ts';
import { quote } from './quote.ts';
import { findSentences } from './sentence-finder.ts';
import { weighTerms } from './term-weights.ts';

/** The share of the chunks that have it. */
const COMMON_NAME = 0.1;
const DO_NOT_KNOW = 'I do not know: the documents do not say.';

/**
 * Answers with sentences of the sources, quoted, and the names of their files; or says that it does
 * not know. No key, no network, the same on every machine. Never fails but by its signal.
 */
export function createExtractiveAnswers(): AnswerModel {
  return {
    name: 'extractive-2',
    async *answer({ question, sources, documentFrequencies }, signal) {
      signal.throwIfAborted();
      const asked = readQuestion(question);
      const frequencies = await documentFrequencies(asked.terms.map(({ word }) => word));
      const findings = findSentences(
        withoutCommonNames(asked, frequencies),
        weighTerms(asked.terms, frequencies),
        sources.map(passageOf),
      );
      const answer = findings.length > 0 ? quote(findings) : DO_NOT_KNOW;
      for (const piece of piecesOf(answer)) {
        signal.throwIfAborted();
        yield piece;
        // Lets an abort be seen that came while the piece was read.
        await setImmediate();
      }
    },
    check: async () => {},
  };
}

/** What most of a dataset is about need not be named where it answers. */
function withoutCommonNames(asked: Question, { chunkCount, counts }: DocumentFrequencies) {
  const terms = asked.terms.map((term, at) => {
    const isCommon = (counts[at] ?? 0) > COMMON_NAME * chunkCount;
    return isCommon ? { ...term, isName: false } : term;
  });
  return { ...asked, terms };
}

function passageOf({ pageContent, metadata }: SearchHit): Passage {
  const { originalName, heading } = metadata;
  return { text: pageContent, file: asText(originalName), heading: asText(heading) };
}

function asText(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Words with the space after them; what has no spaces comes a few characters at a time. */
function piecesOf(answer: string): string[] {
  return answer.match(/\S{1,20}\s*/gu) ?? [];
}

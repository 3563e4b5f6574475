import { setImmediate } from 'node:timers/promises';
import type { AnswerPiece } from '../../../core/citation-marks.ts';
import type { DocumentFrequencies } from '../../../core/model.ts';
import type { AnswerModel } from '../../../ports/language-model.ts';
import { completeQuestion } from './complete-question.ts';
import { type Question, readQuestion, type Term } from './question.ts';
import { quote } from './quote.ts';
import { findSentences } from './sentence-finder.ts';
import { sourceOf } from './source-of.ts';
import { weighTerms } from './term-weights.ts';

/** A name is common if a greater share of the chunks contains it. */
const COMMON_NAME = 0.1;
const DO_NOT_KNOW = 'I do not know: the documents do not say.';

/**
 * Answers with quoted sentences of the sources, which it cites, and the names of their files, or with
 * a statement that it does not know. Deterministic, and works without a key or network. Throws only
 * when its signal is aborted.
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
        sources.map(sourceOf),
      );
      const answer = findings.length > 0 ? quote(findings) : [DO_NOT_KNOW];
      for (const part of answer.flatMap((piece) => partsOf(piece))) {
        signal.throwIfAborted();
        yield part;
        // Lets a pending abort take effect before the next part.
        await setImmediate();
      }
    },
    async rewrite({ question, history }, signal) {
      signal.throwIfAborted();
      return completeQuestion(question, history);
    },
    check: async () => {},
  };
}

/** A name that is common in the dataset is its topic. An answer need not repeat it. */
function withoutCommonNames(
  asked: Question,
  { chunkCount, counts }: DocumentFrequencies,
): Question {
  const terms = asked.terms.map((term, at) => {
    const isCommon = (counts[at] ?? 0) > COMMON_NAME * chunkCount;
    return isCommon ? { ...term, isName: false } : term;
  });
  // The other fields refer to terms.
  const toTerm = (term: Term | undefined) => term && terms[asked.terms.indexOf(term)];
  const { sought, focus, subject } = asked;
  return {
    ...asked,
    terms,
    sought: toTerm(sought),
    focus: toTerm(focus),
    subject: toTerm(subject),
  };
}

/** Words with the spaces around them. Text without spaces is divided every 20 characters. */
function partsOf(piece: AnswerPiece): AnswerPiece[] {
  return typeof piece === 'string' ? (piece.match(/\s*\S{1,20}\s*/gu) ?? []) : [piece];
}

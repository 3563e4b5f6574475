import { setImmediate } from 'node:timers/promises';
import type { Json, SearchHit } from '../../core/model.ts';
import type { AnswerModel } from '../../ports/language-model.ts';
import { type Finding, findSentences, type Passage } from './sentence-finder.ts';

const DO_NOT_KNOW = 'I do not know: the documents do not say.';

/**
 * Answers with sentences of the sources, quoted, and the names of their files; or says that it does
 * not know. No key, no network, the same on every machine. Never fails but by its signal.
 */
export function createExtractiveAnswers(): AnswerModel {
  return {
    name: 'extractive-1',
    async *answer({ question, sources }, signal) {
      signal.throwIfAborted();
      const answer = quote(findSentences(question, sources.map(passageOf)));
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

function passageOf({ pageContent, metadata }: SearchHit): Passage {
  const { originalName, heading } = metadata;
  return { text: pageContent, file: asText(originalName), heading: asText(heading) };
}

function asText(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function quote(findings: Finding[]): string {
  if (findings.length === 0) return DO_NOT_KNOW;
  let file: string | undefined;
  return findings
    .map((finding) => {
      const source =
        finding.file === file ? '' : `According to ${finding.file || 'the documents'}: `;
      file = finding.file;
      return `${source}"${finding.sentence}"`;
    })
    .join(' ');
}

/** Words with the space after them; what has no spaces comes a few characters at a time. */
function piecesOf(answer: string): string[] {
  return answer.match(/\S{1,20}\s*/gu) ?? [];
}

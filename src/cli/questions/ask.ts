import { randomUUID } from 'node:crypto';
import { type Outcome, printable } from '../output.ts';
import { isFailureOfRemote } from '../remote/describe-failure.ts';
import { subscribe } from '../remote/graphql.ts';
import { RefusedError } from '../remote/refused.ts';
import type { Remote } from '../remote/remote.ts';
import { HIT_FIELDS, type Hit, placeOf } from './place.ts';
import { readFilters } from './read-filters.ts';

interface Citation {
  start: number;
  end: number;
  supported: boolean;
  hit: Hit;
}

interface Answer {
  result: string;
  sources: Hit[];
  citations: Citation[];
}

interface AnswerEvent {
  askQuestion: Partial<Answer> & { delta?: string };
}

const ASK = `subscription ($input: AskQuestionInput!) {
  askQuestion(input: $input) {
    ... on AnswerSources { sources { ${HIT_FIELDS} } }
    ... on AnswerDelta { delta }
    ... on AnswerCompleted { result citations { start end supported hit { ${HIT_FIELDS} } } }
  }
}`;

const MAX_ATTEMPTS = 3;

/**
 * Asks a question. A connection that breaks before anything was written is opened again, and the
 * question is paid once.
 *
 * @param write gets the answer as it is written
 */
export async function ask(
  remote: Remote,
  { question, filters }: { question: string; filters?: string },
  write: (text: string) => void,
): Promise<Outcome> {
  const input = {
    datasetId: remote.datasetId,
    question,
    filters: readFilters(filters),
    idempotencyKey: randomUUID(),
  };
  let isBegun = false;
  const onDelta = (delta: string) => {
    isBegun = true;
    write(delta.replace(/[^\P{C}\n\t]/gu, '?'));
  };
  for (let attempt = 1; ; attempt++) {
    try {
      const data = await readAnswer(remote, input, onDelta);
      return { data, text: describeSources(data) };
    } catch (error) {
      const isBroken = isFailureOfRemote(error) && !(error instanceof RefusedError);
      if (!isBroken || isBegun || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

async function readAnswer(
  remote: Remote,
  input: Record<string, unknown>,
  onDelta: (delta: string) => void,
): Promise<Answer> {
  const answer: Answer = { result: '', sources: [], citations: [] };
  for await (const { askQuestion } of subscribe<AnswerEvent>(remote, ASK, { input })) {
    const { delta, ...parts } = askQuestion;
    if (delta !== undefined) onDelta(delta);
    Object.assign(answer, parts);
  }
  return answer;
}

/** The cited chunks; all sources where nothing was cited. */
function describeSources({ sources, citations }: Answer): string {
  const shown = citations.length > 0 ? citations.map(({ hit }) => hit) : sources;
  const places = new Set(shown.map((hit) => printable(placeOf(hit))));
  return ['', '', ...[...places].map((place) => `- ${place}`)].join('\n');
}

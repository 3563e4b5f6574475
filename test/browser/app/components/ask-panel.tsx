import { type FormEvent, useEffect, useRef, useState } from 'react';
import { AskDocument, type TurnInput } from '../../../generated/frontend.ts';
import { type Answer, grow, NO_ANSWER } from '../answer.ts';
import { BROKEN_OFF, type Problem } from '../problem.ts';
import { AnswerText } from './answer-text.tsx';
import { Notice } from './notice.tsx';
import type { PanelProps } from './panel-props.ts';

/** A question and what came of it. */
interface Turn {
  question: string;
  answer: Answer;
  /** With the same key, the question can be asked again without paying again. */
  idempotencyKey: string;
}

/** A conversation about the files. */
export function AskPanel({ layer, signIn, onSpent }: PanelProps) {
  const subscribe = layer.useSubscribe();
  const [past, setPast] = useState<Turn[]>([]);
  const [turn, setTurn] = useState<Turn>();
  const [problem, setProblem] = useState<Problem>();
  const stop = useRef(() => {});
  useEffect(() => () => stop.current(), []);

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const question = String(new FormData(event.currentTarget).get('question'));
    const turns = turn?.answer.isComplete ? [...past, turn] : past;
    event.currentTarget.reset();
    setPast(turns);
    ask({ question, answer: NO_ANSWER, idempotencyKey: crypto.randomUUID() }, turns);
  }

  function ask({ question, idempotencyKey }: Turn, turns: Turn[]): void {
    stop.current();
    setProblem(undefined);
    let answer = NO_ANSWER;
    const show = () => setTurn({ question, answer, idempotencyKey });
    show();
    const variables = { question, history: turns.flatMap(toHistory), idempotencyKey };
    stop.current = subscribe(AskDocument, variables, {
      next({ askQuestion }) {
        answer = grow(answer, askQuestion);
        show();
      },
      error: setProblem,
      complete() {
        if (!answer.isComplete) setProblem(BROKEN_OFF);
        onSpent();
      },
    });
  }

  return (
    <section aria-label="Questions">
      <h2>Questions</h2>
      <ol>
        {[...past, ...(turn ? [turn] : [])].map(({ idempotencyKey, question, answer }) => (
          <li key={idempotencyKey}>
            <p className="question">{question}</p>
            <AnswerText answer={answer} isBusy={!answer.isComplete && !problem} />
          </li>
        ))}
      </ol>
      {problem && turn && (
        <Notice problem={problem} signIn={signIn} retry={() => ask(turn, past)} />
      )}
      <form onSubmit={submit}>
        <input name="question" aria-label="Question" required placeholder="Ask about your files" />
        <button type="submit">Ask</button>
      </form>
    </section>
  );
}

function toHistory({ question, answer }: Turn): TurnInput[] {
  return [
    { role: 'USER', content: question },
    { role: 'ASSISTANT', content: answer.text },
  ];
}

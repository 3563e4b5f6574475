/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { NO_ANSWER, type Opened } from './answer.ts';
import { AnswerText } from './answer-text.tsx';
import { Composer } from './composer.tsx';
import { Passage } from './passage.tsx';
import { Sources } from './sources.tsx';
import { TurnEnd } from './turn-end.tsx';
import { type ConversationOptions, type Turn, useConversation } from './use-conversation.ts';

export interface ConversationProps extends ConversationOptions {
  title: string;
  placeholder: string;
  /** Shown before the first question. */
  children?: ComponentChildren;
  /** Shown above the field for the question. */
  filters?: ComponentChildren;
  /** Gets the link to a file; missing if the files may not be read. */
  linkTo?: ((fileId: string) => Promise<string | null>) | undefined;
  signIn?: (() => void) | undefined;
}

/** Questions and answers, with their sources beside them. */
export function Conversation(props: ConversationProps) {
  const { title, placeholder, children, filters, linkTo, signIn } = props;
  const { turns, ask, stop, retry, clear } = useConversation(props);
  const [opened, open] = useState<Opened>();
  const last = turns.at(-1);
  const isBusy = last?.state === 'answering';
  const scroller = useFollowingScroll(turns);
  const field = useRef<HTMLTextAreaElement>(null);
  /** The button that is pressed goes away, and the keyboard would begin anew at the top of the page. */
  const thenWrite = (act: () => void) => () => {
    act();
    field.current?.focus();
  };

  return (
    <section class="conversation" part="conversation" aria-label={title}>
      <header class="panel-head">
        <h2 part="heading">{title}</h2>
        {turns.length > 0 && (
          <button type="button" class="button small" onClick={thenWrite(clear)}>
            New conversation
          </button>
        )}
      </header>
      <div class="turns" ref={scroller} part="log" role="log" aria-label="Answers">
        {turns.length === 0 && children}
        {turns.map((turn) => (
          <article key={turn.input.idempotencyKey} class="turn">
            <h3 class="question" part="question" dir="auto">
              {turn.input.question}
            </h3>
            <div class="turn-answer">
              <AnswerText answer={turn.answer} isBusy={turn.state === 'answering'} open={open} />
              <TurnEnd
                turn={turn}
                retry={turn === last ? thenWrite(retry) : undefined}
                signIn={signIn}
              />
            </div>
            <Sources answer={turn.answer} open={open} />
          </article>
        ))}
      </div>
      <p class="hidden" role="status">
        {describe(last)}
      </p>
      {filters}
      <Composer {...{ placeholder, isBusy, ask }} fieldRef={field} stop={thenWrite(stop)} />
      {opened && <Passage {...opened} linkTo={linkTo} onClose={() => open(undefined)} />}
    </section>
  );
}

/** For screen readers. */
function describe(turn: Turn | undefined): string {
  if (turn?.state === 'answering') return 'Answering';
  if (turn?.state === 'stopped') return 'Stopped';
  if (turn?.state !== 'complete') return '';
  const { sources, citations } = turn.answer;
  return `The answer is complete, with ${citations.length} citations and ${sources.length} sources`;
}

/** Keeps the last answer in view as it grows, from its question on, unless the reader scrolls. */
function useFollowingScroll(turns: Turn[]) {
  const scroller = useRef<HTMLDivElement>(null);
  const placed = useRef(0);
  useEffect(() => {
    const element = scroller.current;
    const turn = element?.lastElementChild;
    const answer = turn?.querySelector('.turn-answer');
    if (!element || !turn || !answer) return;
    const isNew = turns.at(-1)?.answer === NO_ANSWER;
    if (!isNew && Math.abs(element.scrollTop - placed.current) > NEAR_PIXELS) return;
    const { top } = element.getBoundingClientRect();
    const toQuestion = turn.getBoundingClientRect().top - top;
    const toEnd = answer.getBoundingClientRect().bottom - top - element.clientHeight;
    element.scrollTop += Math.min(toQuestion, toEnd + NEAR_PIXELS);
    placed.current = element.scrollTop;
  }, [turns]);
  return scroller;
}

const NEAR_PIXELS = 24;

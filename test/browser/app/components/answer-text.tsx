import { useState } from 'react';
import type { CitedFragment } from '../../../generated/frontend.ts';
import { type Answer, partsOf } from '../answer.ts';
import { Passage } from './passage.tsx';

interface AnswerTextProps {
  answer: Answer;
  /** Whether more is to come. */
  isBusy: boolean;
}

/** An answer with a numbered button for each citation, which opens its passage. */
export function AnswerText({ answer, isBusy }: AnswerTextProps) {
  const [opened, setOpened] = useState<CitedFragment>();
  return (
    <div className="answer" aria-busy={isBusy}>
      {partsOf(answer).map(({ text, citations }, index) => (
        <span key={index}>
          {text}
          {citations.map((citation) => (
            <Mark
              key={answer.citations.indexOf(citation)}
              number={answer.citations.indexOf(citation) + 1}
              citation={citation}
              open={() => setOpened(citation)}
            />
          ))}
        </span>
      ))}
      {opened && (
        <Passage
          citation={opened}
          statement={answer.text.slice(opened.start, opened.end)}
          close={() => setOpened(undefined)}
        />
      )}
    </div>
  );
}

interface MarkProps {
  number: number;
  citation: CitedFragment;
  open(): void;
}

function Mark({ number, citation: { supported, hit }, open }: MarkProps) {
  const doubt = supported ? '' : ', which may not say this';
  return (
    <button
      type="button"
      className={supported ? 'mark' : 'mark doubtful'}
      aria-label={`Source ${number}: ${hit.originalName}${doubt}`}
      onClick={open}
    >
      {number}
      {!supported && '?'}
    </button>
  );
}

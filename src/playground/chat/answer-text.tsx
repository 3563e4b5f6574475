/** @jsxImportSource preact */
import { type Answer, type Mark, type Opened, partsOf } from './answer.ts';

interface AnswerTextProps {
  answer: Answer;
  isBusy: boolean;
  open: (opened: Opened) => void;
}

/** The text as it is written, with the numbers of the sources behind what they carry. */
export function AnswerText({ answer, isBusy, open }: AnswerTextProps) {
  return (
    <div class="answer" part="answer" aria-busy={isBusy}>
      {partsOf(answer).map(({ text, marks }, index) => (
        <span key={index}>
          {text}
          {/* A mark stays on the line of what it is for. */}
          {marks.length > 0 && '\u2060'}
          {marks.map((mark) => (
            <MarkButton key={mark.number} mark={mark} open={open} />
          ))}
        </span>
      ))}
      {isBusy && <span class="caret" aria-hidden="true" />}
    </div>
  );
}

function MarkButton({ mark, open }: { mark: Mark; open: (opened: Opened) => void }) {
  const { number, source, statement, supported } = mark;
  const doubt = supported ? '' : ', which may not say this';
  return (
    <button
      type="button"
      class={supported ? 'mark' : 'mark doubtful'}
      part="citation"
      aria-label={`Source ${number}: ${source.originalName}${doubt}`}
      title={`${source.originalName}${doubt}`}
      onClick={() => open({ source, statement, supported })}
    >
      {number}
      {!supported && '?'}
    </button>
  );
}

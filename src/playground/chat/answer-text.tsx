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
          {marks.length === 0 ? text : beforeLastWord(text)}
          {marks.length > 0 && (
            <span class="tail">
              {text.slice(beforeLastWord(text).length)}
              {marks.map((mark) => (
                <MarkButton key={mark.number} mark={mark} open={open} />
              ))}
            </span>
          )}
        </span>
      ))}
      {isBusy && <span class="caret" aria-hidden="true" />}
    </div>
  );
}

/** A mark stays on the line of the word before it, unless that is longer than some lines. */
function beforeLastWord(text: string): string {
  const end = text.trimEnd();
  const start = Math.max(end.lastIndexOf(' '), end.lastIndexOf('\n')) + 1;
  return end.length - start > LONG_WORD ? text : text.slice(0, start);
}

const LONG_WORD = 20;

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

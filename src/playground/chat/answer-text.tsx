/** @jsxImportSource preact */
import { Fragment, type VNode } from 'preact';
import { type Answer, blocksOf, type Mark, type Opened, type Part } from './answer.ts';

interface AnswerTextProps {
  answer: Answer;
  isBusy: boolean;
  open: (opened: Opened) => void;
}

/** The text as it is written, with the numbers of the sources after the statements that cite them. */
export function AnswerText({ answer, isBusy, open }: AnswerTextProps) {
  const blocks = blocksOf(answer);
  const runs: { isList: boolean; elements: VNode[] }[] = [];
  for (const [index, { kind, marker, depth, parts }] of blocks.entries()) {
    const content = parts.map((part, at) => <PartText key={at} part={part} open={open} />);
    const Tag = TAGS[kind];
    const isList = kind === 'item';
    const element = (
      <Tag
        key={index}
        {...(isList && { class: `deep-${depth}` })}
        // What scrolls must be reached by the keyboard; text runs in the direction of its language.
        {...(kind === 'code' ? { tabIndex: 0 } : { dir: 'auto' })}
      >
        {marker && <span>{marker}</span>}
        <span>
          {content}
          {isBusy && index === blocks.length - 1 && CARET}
        </span>
      </Tag>
    );
    const last = runs.at(-1);
    if (isList && last?.isList) last.elements.push(element);
    else runs.push({ isList, elements: [element] });
  }
  return (
    <div class="answer" part="answer" aria-busy={isBusy}>
      {runs.map(({ isList, elements }, at) => (isList ? <ul key={at}>{elements}</ul> : elements))}
      {isBusy && blocks.length === 0 && CARET}
    </div>
  );
}

const TAGS = { paragraph: 'p', heading: 'h4', item: 'li', code: 'pre' } as const;
const CARET = <span class="caret" aria-hidden="true" />;

function PartText({ part, open }: { part: Part; open: (opened: Opened) => void }) {
  const { text, marks } = part;
  const Tag = part.style ?? Fragment;
  if (marks.length === 0) return <Tag>{text}</Tag>;
  const before = beforeLastWord(text);
  return (
    <>
      <Tag>{before}</Tag>
      <span class="tail">
        <Tag>{text.slice(before.length)}</Tag>
        {marks.map((mark) => (
          <MarkButton key={mark.number} mark={mark} open={open} />
        ))}
      </span>
    </>
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

/** @jsxImportSource preact */
import type { SourceFragment } from '../../generated/playground.ts';
import { count } from '../ui/format.ts';
import { type Answer, isCited, type Opened } from './answer.ts';
import { describePlace } from './describe-place.ts';

interface SourcesProps {
  answer: Answer;
  open: (opened: Opened) => void;
}

/** The passages that an answer cites, and below them those that were read as well. */
export function Sources({ answer, open }: SourcesProps) {
  const numbered = answer.sources.map((source, index) => ({ source, number: index + 1 }));
  if (numbered.length === 0) return null;
  const cited = numbered.filter(({ source }) => isCited(answer, source));
  const others = numbered.filter((each) => !cited.includes(each));
  return (
    <aside class="sources" part="sources" aria-label="Sources">
      {cited.map((each) => (
        <SourceCard key={each.number} {...each} open={open} />
      ))}
      {others.length > 0 && answer.isComplete && (
        <details>
          <summary class="quiet">
            {`${cited.length > 0 ? 'Also read' : 'Read'}: ${count(others.length, 'passage')}`}
          </summary>
          {others.map((each) => (
            <SourceCard key={each.number} {...each} open={open} />
          ))}
        </details>
      )}
    </aside>
  );
}

interface SourceCardProps {
  source: SourceFragment;
  number: number;
  open: (opened: Opened) => void;
}

function SourceCard({ source, number, open }: SourceCardProps) {
  return (
    <button type="button" class="source" part="source" onClick={() => open({ source })}>
      <span class="source-head">
        <span class="number">{number}</span>
        <span class="source-name">{source.originalName}</span>
      </span>
      <span class="quiet">{describePlace(source.location)}</span>
      <span class="excerpt" dir="auto">
        {source.pageContent}
      </span>
    </button>
  );
}

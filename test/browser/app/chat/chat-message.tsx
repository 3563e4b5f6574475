import type { UIMessage } from 'ai';
import { partsOf } from '../answer.ts';

/** A message with the citations of filequery. */
export type Message = UIMessage<
  unknown,
  { citation: { start: number; end: number; sourceId: string; supported: boolean } }
>;

/** A question; or an answer with its citations, each a link to its source below. */
export function ChatMessage({ message: { id, role, parts } }: { message: Message }) {
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  if (role === 'user') return <p className="question">{text}</p>;
  const sources = parts.filter((part) => part.type === 'source-document');
  const citations = parts.flatMap((part) => (part.type === 'data-citation' ? [part.data] : []));
  const numberOf = (sourceId: string) =>
    sources.findIndex((source) => source.sourceId === sourceId) + 1;
  return (
    <article>
      <p className="answer">
        {partsOf({ text, citations }).map((part) => (
          <span key={part.text}>
            {part.text}
            {part.citations.map(({ sourceId, supported }) => (
              <a
                key={sourceId}
                className={supported ? 'mark' : 'mark doubtful'}
                href={`#${id}-${sourceId}`}
              >
                {numberOf(sourceId)}
              </a>
            ))}
          </span>
        ))}
      </p>
      <ol aria-label="Sources">
        {sources.map(({ sourceId, title, providerMetadata }) => (
          <li key={sourceId} id={`${id}-${sourceId}`}>
            <cite>{title}</cite>
            <blockquote>{String(providerMetadata?.['filequery']?.['pageContent'])}</blockquote>
          </li>
        ))}
      </ol>
    </article>
  );
}

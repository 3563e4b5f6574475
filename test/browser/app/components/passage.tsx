import { useEffect, useRef } from 'react';
import type { CitedFragment } from '../../../generated/frontend.ts';

interface PassageProps {
  citation: CitedFragment;
  statement: string;
  close(): void;
}

/** The passage that a statement cites, in a dialog. */
export function Passage({ citation: { hit, supported }, statement, close }: PassageProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} onClose={close} aria-label={hit.originalName}>
      <h3>{hit.originalName}</h3>
      <p className="location">{describe(hit.location)}</p>
      <blockquote>{hit.pageContent}</blockquote>
      {!supported && <p>The passage may not say this: “{statement}”</p>}
      {hit.file?.permanentUrl ? (
        <a href={hit.file.permanentUrl} target="_blank" rel="noreferrer">
          Open the file
        </a>
      ) : (
        <p>The file was deleted.</p>
      )}{' '}
      <button type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}

/** Such as `page 3, Coverage > Warranty periods`. */
function describe(location: CitedFragment['hit']['location']): string {
  const { heading, ...places } = location;
  const named = Object.entries(places)
    .filter(([name, place]) => name !== '__typename' && place !== null)
    .map(([name, place]) => `${name === 'startTime' ? 'at' : name} ${place}`);
  return [...named, ...(heading ? [heading] : [])].join(', ');
}

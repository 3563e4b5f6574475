/** @jsxImportSource preact */
import { useEffect, useState } from 'preact/hooks';
import { Modal } from '../ui/modal.tsx';
import type { Opened } from './answer.ts';
import { describePlace } from './describe-place.ts';

interface PassageProps extends Opened {
  linkTo?: ((fileId: string) => Promise<string | null>) | undefined;
  onClose: () => void;
}

/** A passage of a file, with the statement that cites it. */
export function Passage({ source, statement, supported, linkTo, onClose }: PassageProps) {
  const { fileId, originalName, pageContent, location } = source;
  const [link, setLink] = useState<string | null>();
  useEffect(() => {
    linkTo?.(fileId).then(setLink, () => {
      // A token may only allow questions.
    });
  }, [fileId]);
  return (
    <Modal title={originalName} onClose={onClose}>
      <p class="quiet">{describePlace(location)}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <blockquote tabIndex={0} dir="auto">
        {pageContent}
      </blockquote>
      {statement && (
        <p class={supported ? 'statement' : 'statement doubtful'}>
          {supported ? 'Cited for: ' : 'The passage may not say this: '}“
          {statement.trim().replace(/^["“]+|["”]+$/g, '')}”
        </p>
      )}
      {link && (
        <p>
          <a href={link} target="_blank" rel="noreferrer">
            Open the file
          </a>
        </p>
      )}
      {link === null && <p class="quiet">The file can no longer be opened.</p>}
    </Modal>
  );
}

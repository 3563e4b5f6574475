/** @jsxImportSource preact */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { problemOf } from '../api/problem.ts';
import { Icon } from '../ui/icon.tsx';
import { droppedFiles } from './dropped-files.ts';
import { parseMetadata } from './parse-metadata.ts';

interface DropZoneProps {
  add: (files: File[], metadata: Record<string, unknown>) => void;
}

/** Takes files: chosen, or dropped anywhere on the page, also in folders. */
export function DropZone({ add }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  const [own, setOwn] = useState('');
  const { metadata, problem } = parseMetadata(own);
  const [refusal, setRefusal] = useState('');
  const take = useRef(async (_: File[] | Promise<File[]>) => {});
  take.current = async (files) => {
    setRefusal(problem ? `Metadata: ${problem}` : '');
    try {
      const read = await files;
      if (!problem) add(read, metadata);
    } catch (error) {
      setRefusal(problemOf(error).text);
    }
  };

  // The page accepts drops as soon as it is shown; `useEffect` would wait for an idle moment.
  useLayoutEffect(() => {
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      // Otherwise the browser would leave the page to show the file.
      event.preventDefault();
      setOver(true);
    };
    const leave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setOver(false);
      void take.current(droppedFiles(event.dataTransfer));
    };
    const listeners = { dragover: over, dragleave: leave, drop };
    for (const [type, listener] of Object.entries(listeners)) {
      addEventListener(type, listener as EventListener);
    }
    return () => {
      for (const [type, listener] of Object.entries(listeners)) {
        removeEventListener(type, listener as EventListener);
      }
    };
  }, []);

  return (
    <div class={isOver ? 'drop over' : 'drop'}>
      <label class="drop-label">
        <Icon name="upload" />
        <span>
          <strong>Choose files</strong> or drop files and folders anywhere
          <span class="quiet">Text, Markdown, PDF, Office, CSV, code and more</span>
        </span>
        <input
          type="file"
          multiple
          onChange={({ currentTarget }) => {
            void take.current([...(currentTarget.files ?? [])]);
            currentTarget.value = '';
          }}
        />
      </label>
      {refusal && (
        <p class="bad" role="alert">
          {refusal}
        </p>
      )}
      <details class="own">
        <summary class="quiet">Add metadata</summary>
        <label class="hidden" for="own">
          Metadata of the next files
        </label>
        <input
          id="own"
          placeholder="category=guide, year=2026"
          autoComplete="off"
          value={own}
          aria-invalid={problem !== undefined}
          aria-describedby="own-help"
          onInput={({ currentTarget }) => setOwn(currentTarget.value)}
        />
        <p id="own-help" class={problem ? 'bad' : 'quiet'} aria-live="polite">
          {problem ?? 'The next files get it, and questions can be filtered by it.'}
        </p>
      </details>
    </div>
  );
}

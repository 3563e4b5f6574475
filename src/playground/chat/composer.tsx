/** @jsxImportSource preact */
import type { RefObject } from 'preact';
import { useState } from 'preact/hooks';
import { LIMITS } from '../../core/limits.ts';
import { Icon } from '../ui/icon.tsx';

interface ComposerProps {
  placeholder: string;
  isBusy: boolean;
  fieldRef: RefObject<HTMLTextAreaElement | null>;
  ask: (question: string) => void;
  stop: () => void;
}

/** The field for a question. Enter sends it, with Shift it is a line break. */
export function Composer({ placeholder, isBusy, fieldRef, ask, stop }: ComposerProps) {
  const [text, setText] = useState('');
  const question = text.trim();

  const send = () => {
    if (!question || isBusy) return;
    setText('');
    ask(question);
  };
  return (
    <form
      class="composer"
      part="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
        fieldRef.current?.focus();
      }}
    >
      <textarea
        ref={fieldRef}
        part="input"
        name="question"
        aria-label="Question"
        rows={1}
        placeholder={placeholder}
        maxLength={LIMITS.questionCharacters}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          // While an input method composes a word, Enter ends the word.
          if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return;
          event.preventDefault();
          send();
        }}
      />
      {isBusy ? (
        <button type="button" class="button send" part="stop" aria-label="Stop" onClick={stop}>
          <Icon name="stop" />
        </button>
      ) : (
        <button
          type="submit"
          class="button send primary"
          part="send"
          aria-label="Ask"
          disabled={!question}
        >
          <Icon name="send" />
        </button>
      )}
    </form>
  );
}

/** Whether the key belongs to an input method, as Enter does that takes its suggestion. */
function isComposing({ isComposing, keyCode }: KeyboardEvent): boolean {
  // Safari ends the composition before this event; what is left of it is the code 229.
  return isComposing || keyCode === 229;
}

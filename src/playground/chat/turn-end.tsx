/** @jsxImportSource preact */
import { Notice } from '../ui/notice.tsx';
import type { Turn } from './use-conversation.ts';

interface TurnEndProps {
  turn: Turn;
  /** Missing for all but the last turn. */
  retry?: (() => void) | undefined;
  signIn?: (() => void) | undefined;
}

/** Shown when a question has no complete answer. */
export function TurnEnd({ turn: { state, problem, answer }, retry, signIn }: TurnEndProps) {
  if (state === 'failed' && problem) {
    return <Notice problem={problem} retry={retry} signIn={signIn} />;
  }
  if (state === 'answering' && answer.text === '') {
    return (
      <p class="quiet">{answer.sources.length === 0 ? 'Looking for passages…' : 'Reading…'}</p>
    );
  }
  if (state !== 'stopped') return null;
  return (
    <p class="stopped quiet">
      Stopped.
      {retry && (
        <button type="button" class="button small" onClick={retry}>
          Ask again
        </button>
      )}
    </p>
  );
}

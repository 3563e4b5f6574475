import { endsSession, explain, isTemporary, type Problem } from '../problem.ts';

interface NoticeProps {
  problem: Problem;
  signIn(): void;
  /** Only if trying again is of use. */
  retry?(): void;
}

/** Tells of a problem, and offers what helps. */
export function Notice({ problem, signIn, retry }: NoticeProps) {
  return (
    <p role="alert">
      {explain(problem)}{' '}
      {endsSession(problem) && (
        <button type="button" onClick={signIn}>
          Sign in again
        </button>
      )}
      {retry && isTemporary(problem) && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </p>
  );
}

/** @jsxImportSource preact */
import { endsSession, type Problem } from '../api/problem.ts';

interface NoticeProps {
  problem: Problem;
  /** What the problem is about, such as the name of a file. */
  about?: string;
  retry?: (() => void) | undefined;
  /** Leads to where another credential is given; missing where there is none. */
  signIn?: (() => void) | undefined;
}

/** Shows a problem, and offers a remedy. */
export function Notice({ problem, about, retry, signIn }: NoticeProps) {
  return (
    <div class="notice" part="error" role="alert">
      <p>
        {about && <strong>{about}: </strong>}
        {problem.text}
      </p>
      {endsSession(problem) && signIn ? (
        <button type="button" class="button small" onClick={signIn}>
          Use another key
        </button>
      ) : (
        retry && (
          <button type="button" class="button small" onClick={retry}>
            Try again
          </button>
        )
      )}
    </div>
  );
}

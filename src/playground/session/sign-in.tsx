/** @jsxImportSource preact */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Problem } from '../api/problem.ts';

interface SignInProps {
  problem?: Problem | undefined;
  demoKey?: string | undefined;
  signIn: (key: string) => Promise<unknown>;
}

/** Asks for a key or a token. */
export function SignIn({ problem, demoKey, signIn }: SignInProps) {
  const [isBusy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);

  const use = async (key: string) => {
    setBusy(true);
    await signIn(key);
    setBusy(false);
    field.current?.select();
  };
  return (
    <main class="sign-in" id="main">
      <div class="card">
        <h1>Ask questions of your files</h1>
        <p class="quiet">
          Paste an API key, such as the one that the first start has printed, or a frontend token.
          It is kept until this browser tab is closed.
        </p>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void use(field.current?.value.trim() ?? '');
          }}
        >
          <label for="key">API key or token</label>
          <input
            ref={field}
            id="key"
            name="key"
            type="password"
            autoComplete="off"
            spellcheck={false}
            required
            aria-invalid={problem !== undefined}
            aria-describedby={problem && 'key-problem'}
          />
          <button type="submit" class="button primary" disabled={isBusy}>
            {isBusy ? 'Checking…' : 'Use it'}
          </button>
        </form>
        {problem && (
          <p id="key-problem" class="notice" role="alert">
            {problem.text}
          </p>
        )}
        {demoKey && (
          <p>
            <button type="button" class="button" disabled={isBusy} onClick={() => use(demoKey)}>
              Try it as the demo customer
            </button>
          </p>
        )}
      </div>
    </main>
  );
}

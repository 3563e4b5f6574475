import type { FormEvent } from 'react';

export interface KeyBarProps {
  /** Whether there is a key. */
  isSet: boolean;
  /** Takes a key, or the empty text to forget it. */
  onChange: (key: string) => void;
}

/** The name of the service, and the place for the key. */
export function KeyBar({ isSet, onChange }: KeyBarProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const key = new FormData(event.currentTarget).get('key');
    onChange(String(key ?? '').trim());
  };
  return (
    <header className="bar">
      <strong className="bar-name">filequery</strong>
      {isSet ? (
        <>
          <span className="bar-hint">Your key is kept until this browser tab is closed.</span>
          <button type="button" className="graphiql-button" onClick={() => onChange('')}>
            Forget key
          </button>
        </>
      ) : (
        <form className="bar-form" onSubmit={submit}>
          <label className="bar-hint" htmlFor="key">
            Paste the key that the first start printed, then run an example.
          </label>
          <input
            id="key"
            name="key"
            type="password"
            placeholder="API key or frontend token"
            autoComplete="off"
            spellCheck={false}
            required
          />
          <button type="submit" className="graphiql-button">
            Use key
          </button>
        </form>
      )}
    </header>
  );
}

/** @jsxImportSource preact */
import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../ui/icon.tsx';
import type { Performed } from './performed.ts';
import { type Snippet, snippetsOf } from './snippets.ts';

const COPIED_MS = 2_000;

/** The last action, as code to copy. */
export function CodePanel({ request, url }: { request: Performed | undefined; url: string }) {
  const [chosen, choose] = useState<Snippet['name']>('curl');
  if (!request) return null;
  const snippets = snippetsOf(request, url);
  const text = snippets.find(({ name }) => name === chosen)?.text ?? '';
  return (
    <details class="code card">
      <summary>
        <Icon name="chevron" />
        <span>Code</span>
        <span class="code-title">{request.title}: the same from your program</span>
      </summary>
      <div class="code-bar">
        <fieldset class="segments">
          <legend class="hidden">Language</legend>
          {snippets.map(({ name }) => (
            <label key={name}>
              <input
                type="radio"
                name="snippet"
                checked={name === chosen}
                onChange={() => choose(name)}
              />
              {name}
            </label>
          ))}
        </fieldset>
        <CopyButton text={text} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section class="code-text" tabIndex={0} aria-label={`${request.title}, ${chosen}`}>
        <pre>{text}</pre>
      </section>
    </details>
  );
}

function CopyButton({ text }: { text: string }) {
  const [state, setState] = useState<'' | 'Copied' | 'Select the text to copy it'>('');
  useEffect(() => {
    const timer = setTimeout(() => setState(''), COPIED_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    try {
      // Missing on pages without HTTPS.
      await navigator.clipboard.writeText(text);
      setState('Copied');
    } catch {
      setState('Select the text to copy it');
    }
  };
  return (
    <span class="copy">
      <span role="status" class="quiet">
        {state}
      </span>
      <button type="button" class="button small" onClick={copy}>
        Copy
      </button>
    </span>
  );
}

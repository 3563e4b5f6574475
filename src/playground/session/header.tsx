/** @jsxImportSource preact */
import { formatCredits } from '../ui/format.ts';
import { DatasetPicker, type DatasetPickerProps } from './dataset-picker.tsx';
import type { Viewer } from './use-session.ts';

interface HeaderProps extends DatasetPickerProps {
  viewer: Viewer;
  signOut: () => void;
}

/** The customer, the credits left, and the button to sign out. */
export function Header({ viewer, signOut, ...picker }: HeaderProps) {
  return (
    <header class="bar">
      <h1 class="brand">filequery</h1>
      <DatasetPicker {...picker} />
      <p class="who">
        <span class="quiet">{viewer.customerName ?? until(viewer)}</span>
        <Credits viewer={viewer} />
      </p>
      <nav aria-label="Other pages">
        <a href="graphql">GraphiQL</a>
        <a href="docs">REST</a>
        <button type="button" class="button small" onClick={signOut}>
          Forget key
        </button>
      </nav>
    </header>
  );
}

function Credits({ viewer: { credits, token, credential } }: { viewer: Viewer }) {
  if (token) {
    const { creditsLeft, maxCredits } = token;
    if (creditsLeft === null || maxCredits === null) return null;
    return (
      <span class="credits">
        <strong>{formatCredits(creditsLeft)}</strong> of {formatCredits(maxCredits)} credits
      </span>
    );
  }
  if (credits === null) return credential === 'API_KEY' ? <span>not metered</span> : null;
  return (
    <span class="credits">
      <strong>{formatCredits(credits)}</strong> credits
    </span>
  );
}

function until({ token }: Viewer): string {
  if (!token) return '';
  const time = new Date(token.expiresAt).toLocaleTimeString([], { timeStyle: 'short' });
  return `token, until ${time}`;
}

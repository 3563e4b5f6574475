import type { Viewer } from '../data-layer.ts';

/** What is left of the token. */
export function Budget({ token }: { token: NonNullable<Viewer['token']> }) {
  const { creditsLeft, maxCredits, expiresAt } = token;
  const until = new Date(expiresAt).toLocaleTimeString([], { timeStyle: 'short' });
  return (
    <p className="budget">
      {maxCredits !== null && (
        <>
          <strong>{creditsLeft}</strong> of {maxCredits} credits left ·{' '}
        </>
      )}
      until {until}
    </p>
  );
}

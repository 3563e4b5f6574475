/** In characters. */
const LONGEST = 200;

/** A URL for a message: without its query, which may hold a secret such as a signature. */
export function shownUrl({ origin, pathname }: URL): string {
  const shown = `${origin}${pathname}`;
  return shown.length > LONGEST ? `${shown.slice(0, LONGEST)}…` : shown;
}

/** Redoc in one script, compressed; `npm run generate` creates it. */
export const REDOC = new URL('../generated/redoc.js.gz', import.meta.url);

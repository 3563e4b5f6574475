/** Redoc in one script, compressed; `npm run generate` makes it. */
export const REDOC = new URL('../generated/redoc.js.gz', import.meta.url);

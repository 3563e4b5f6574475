/** How chunks are found: by meaning, by words, or by both. */
export const SEARCH_MODES = ['vector', 'keyword', 'hybrid'] as const;

export type SearchMode = (typeof SEARCH_MODES)[number];

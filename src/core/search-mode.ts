/** How chunks are found: by what they mean, by the words they have, or by both. */
export const SEARCH_MODES = ['vector', 'keyword', 'hybrid'] as const;

export type SearchMode = (typeof SEARCH_MODES)[number];

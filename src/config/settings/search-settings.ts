import { z } from 'zod';
import { SEARCH_MODES } from '../../core/search-mode.ts';
import { type Settings, wholeNumber } from './setting.ts';

/** How chunks are found for a question, and how much text the answer is based on. */
export const SEARCH_SETTINGS = {
  SEARCH_MEMORY: {
    purpose:
      'megabytes of memory for the search cache; each holds about 900 chunks; 0 disables the cache',
    schema: wholeNumber('256', 0, 4_000),
  },
  SEARCH_MODE: {
    purpose:
      'how the chunks for an answer are found: vector (by meaning), keyword (by words) or hybrid (both)',
    schema: z
      .string()
      .toLowerCase()
      .pipe(z.enum(SEARCH_MODES, `must be one of ${SEARCH_MODES.join(', ')}`))
      .default('hybrid'),
  },
  CONTEXT_TOKENS: {
    purpose:
      'approximate number of tokens that an answer is based on: the best 5 to 10 chunks with the text around them',
    schema: wholeNumber('4000', 0, 1_000_000),
  },
} as const satisfies Settings;

import { z } from 'zod';
import { SEARCH_MODES } from '../../core/search-mode.ts';
import { type Settings, wholeNumber } from './setting.ts';

/** How chunks are found for a question, and how many it is answered from. */
export const SEARCH_SETTINGS = {
  SEARCH_MEMORY: {
    purpose:
      'megabytes that codes of vectors and lists of words may take in memory, of 900 chunks each; 0 keeps none',
    schema: wholeNumber('256', 0, 4_000),
  },
  SEARCH_MODE: {
    purpose:
      'how the chunks for an answer are chosen: vector (by meaning), keyword (by words) or hybrid (by both)',
    schema: z
      .string()
      .toLowerCase()
      .pipe(z.enum(SEARCH_MODES, `must be one of ${SEARCH_MODES.join(', ')}`))
      .default('hybrid'),
  },
  CONTEXT_TOKENS: {
    purpose:
      'tokens of text that an answer is written from, about: the best 5 to 10 chunks, and what stands around them in their files',
    schema: wholeNumber('4000', 0, 1_000_000),
  },
} as const satisfies Settings;

import { z } from 'zod';
import { invalidInput } from '../../core/errors.ts';
import { LIMITS } from '../../core/limits.ts';
import { isMissing, readInput } from '../input.ts';

/** How to write an answer. */
export interface Wishes {
  /** In the words of the caller; may be empty. */
  instructions: string;
  /** The language of the answer, in English; that of the question if undefined. */
  language: string | undefined;
}

const instructions = z
  .string('instructions must be a string')
  .max(
    LIMITS.instructionsCharacters,
    `instructions must be at most ${LIMITS.instructionsCharacters} characters long`,
  );

const NO_LANGUAGE = 'language must be a BCP 47 tag of a known language, such as en or pt-BR';
/** Language, script and region. Variants and extensions could hold any text. */
const TAG = /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?$/;
const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

export function readWishes(input: { instructions?: unknown; language?: unknown }): Wishes {
  return {
    instructions: readInput(instructions, input.instructions ?? '')
      .toWellFormed()
      .trim(),
    language: readLanguage(input.language),
  };
}

/** `pt-br` is `Brazilian Portuguese`. */
function readLanguage(value: unknown): string | undefined {
  if (isMissing(value)) return undefined;
  const tag = readInput(z.string(NO_LANGUAGE), value);
  return nameOf(tag) ?? invalidInput(NO_LANGUAGE);
}

function nameOf(tag: string): string | undefined {
  try {
    const [canonical = ''] = Intl.getCanonicalLocales(tag);
    return TAG.test(canonical) ? names.of(canonical) : undefined;
  } catch {
    return undefined;
  }
}

import { z } from 'zod';

/** How one environment variable is read. */
export interface Setting {
  purpose: string;
  schema: z.ZodType<unknown, string | undefined>;
  /** Never printed; may also be read from a file named by `<NAME>_FILE`. */
  secret?: boolean;
}

export type Settings = Record<string, Setting>;

/* Schemas that several settings share. */

export const text = z.string().optional();

/** Checks that follow get a URL: they are left out when it is none. */
export const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http(s) URL', abort: true })
  .refine(hasNoUser, { error: 'must have no user name and no password', abort: true });

/** Node's fetch refuses a URL that has one, and settings without secrets are printed. */
function hasNoUser(url: string): boolean {
  const { username, password } = new URL(url);
  return username === '' && password === '';
}

/** What a header can carry: HTTP cannot send other texts, or receivers read them differently. */
export const HEADER_TEXT = [
  /^[\x21-\x7e]+$/,
  'must be ASCII characters without spaces',
] as const satisfies [RegExp, string];

/** A key that is sent in a header. With another character, the failure of each request would show it. */
export const headerSecret = z
  .string()
  .trim()
  .regex(...HEADER_TEXT);

export function yesOrNo(preset: 'true' | 'false') {
  return z
    .enum(['true', 'false'], 'must be true or false')
    .default(preset)
    .transform((value) => value === 'true');
}

export function secretText(least: number) {
  return z.string().min(least, `must be at least ${least} characters long`);
}

export function wholeNumber(preset: string, min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .default(preset)
    .refine((text) => /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max, error)
    .transform(Number);
}

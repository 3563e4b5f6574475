import { isAscii } from 'node:buffer';
import { analyse } from 'chardet';

const MARKS: [encoding: string, mark: number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];
/** The declaration in a web page, a script or an XML document. */
const DECLARATION = /(?:charset|coding)\s*[=:]\s*["']?\s*([\w.:-]+)/i;
/** In bytes. A larger sample makes detection slower, but hardly better. */
const GUESS_SAMPLE = 16_384;
const LEAST_CONFIDENCE = 20;
/** Encodings of languages that are written mostly in ASCII, in which other letters are apart. */
const LATIN = /^(?:windows-125[0247]|ISO-8859-[129])$/;
/** Bytes that belong to words without an ASCII letter, as in Cyrillic or Chinese. */
const FOREIGN = /[\x80-\xff]{3,}/g;

/**
 * Characters that text does not contain: control, invalid, unassigned and private ones. A backspace
 * is allowed, because man pages use it for bold text.
 */
const STRANGE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters identify binary files
  /[\0-\x07\x0e-\x1a\x1c-\x1f\x7f\ufffd\p{Cn}\p{Co}\p{Cs}]/gu;
const MOST_STRANGE = 0.01;
/** Characters that occur in every text. */
const COMMON = /[\s.,、。，]/g;
const FEWEST_COMMON = 0.01;
const NOT_ASCII = /[^\p{ASCII}]/gu;

/** Whether a file that begins with these bytes is a text, in any encoding, rather than binary. */
export function isText(sample: Uint8Array): boolean {
  return !isStrange(decode(sample, encodingOf(sample)));
}

/**
 * Detects the encoding of a text that begins with `sample`, as a label for `TextDecoder`.
 *
 * @param telling a later part of the text to examine, if the beginning is ASCII only
 */
export function encodingOf(sample: Uint8Array, telling = sample): string {
  const marked = MARKS.find(([, mark]) => mark.every((byte, index) => sample[index] === byte));
  if (marked) return marked[0];
  const unmarked = sample.includes(0) ? unmarkedUnicode(sample) : undefined;
  if (unmarked) return unmarked;
  if (isAscii(telling) || isMostlyUtf8(telling)) return 'utf-8';
  return declaredEncoding(sample) ?? guessedEncoding(telling.subarray(0, GUESS_SAMPLE));
}

/** In the wrong byte order, line breaks become unassigned characters, and spaces become rare ones. */
function unmarkedUnicode(sample: Uint8Array): string | undefined {
  const candidates = ['utf-8', 'utf-16le', 'utf-16be']
    .map((encoding) => ({ encoding, text: decode(sample, encoding) }))
    .map(({ encoding, text }) => ({ encoding, text, common: share(COMMON, text) }))
    .filter(({ text, common }) => !isStrange(text) && common > FEWEST_COMMON)
    .toSorted((a, b) => b.common - a.common);
  return candidates[0]?.encoding;
}

/** Tolerates a few damaged characters. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  const text = decode(bytes, 'utf-8');
  return share(/\ufffd/g, text) <= 0.1 * share(NOT_ASCII, text);
}

function declaredEncoding(sample: Uint8Array): string | undefined {
  const head = decode(sample.subarray(0, 1024), 'latin1');
  const label = DECLARATION.exec(head)?.[1] ?? '';
  // UTF-8 and UTF-16 were ruled out before.
  const isUnicode = /^utf-?(?:8|16)/i.test(label);
  return isDecodable(label) && !isUnicode ? label : undefined;
}

function guessedEncoding(bytes: Uint8Array): string {
  // A short text leaves much doubt, but that its letters are not Latin shows at once.
  const isForeign = isMostlyForeign(bytes);
  const guesses = analyse(bytes)
    .filter(({ name }) => isDecodable(name) && !(isForeign && LATIN.test(name)))
    .filter(({ confidence }) => confidence >= (isForeign ? 1 : LEAST_CONFIDENCE))
    .map(({ name }) => ({ name, text: decode(bytes, name) }))
    .filter(({ text }) => !isStrange(text));
  const { name } = guesses.find(({ text }) => !text.includes('\ufffd')) ?? guesses[0] ?? {};
  return name && name !== 'UTF-8' ? name : 'windows-1252';
}

function isMostlyForeign(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes).toString('latin1');
  const foreign = text.match(FOREIGN)?.join('').length ?? 0;
  return foreign > share(NOT_ASCII, text) * text.length * 0.5;
}

function isDecodable(label: string): boolean {
  try {
    return Boolean(new TextDecoder(label));
  } catch {
    return false;
  }
}

/** With `stream`, an incomplete character at the end of a sample is ignored. */
function decode(bytes: Uint8Array, encoding: string): string {
  return new TextDecoder(encoding).decode(bytes, { stream: true });
}

function isStrange(text: string): boolean {
  return share(STRANGE, text) > MOST_STRANGE;
}

function share(characters: RegExp, text: string): number {
  return (text.match(characters)?.length ?? 0) / Math.max(text.length, 1);
}

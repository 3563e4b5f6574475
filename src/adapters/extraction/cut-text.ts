/** Splits a text into parts without losing any character. */
type Cut = (text: string) => string[];

const MARK = /\p{M}/u;
/** On a letter of Thai or Vietnamese. Others are rare, and need not stay together. */
const MOST_MARKS = 2;

/** Ways to split a long text, best first. White space belongs to the part after it. */
export const CUTS: readonly Cut[] = [
  function lines(text) {
    return text.split(/(?=\n)(?<=[^\n])/);
  },
  function sentences(text) {
    return text.split(
      /(?<=[.!?…؟۔।]["'”’»)\]]{0,2})(?=\s)|(?<=[。！？][”’」』）]{0,2})(?![”’」』）])/,
    );
  },
  function clauses(text) {
    return text.split(/(?<=[,;:)—])(?=\s)|(?<=[，；：、])/);
  },
  function words(text) {
    return text.split(/(?=\s)(?<=\S)/);
  },
  function letters(text) {
    return partsOf(text, Math.min(48, Math.ceil(text.length / 2)));
  },
];

/** Cuts a text in blocks of hardly more than `length` UTF-16 units, between words where it has any. */
export function blocksOf(text: string, length: number): string[] {
  const blocks: string[] = [];
  let start = 0;
  while (text.length - start > length) {
    const space = text.slice(start, start + length).lastIndexOf(' ');
    const end = space > length / 2 ? start + space : endOfLetter(text, start + length);
    blocks.push(text.slice(start, end));
    start = end;
  }
  blocks.push(text.slice(start));
  return blocks;
}

/** Cuts a text every `length` UTF-16 units or hardly more: never inside a character, and after its marks. */
export function partsOf(text: string, length: number): string[] {
  const parts: string[] = [];
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = endOfLetter(text, start + length);
    // A letter that is too long with its marks is cut all the same.
    if (end - start === text.length) end = endOfCharacter(text, start + length);
    parts.push(text.slice(start, end));
  }
  return parts;
}

/** The end of the character at `end`, with the vowels and accents that are marks on it. */
function endOfLetter(text: string, end: number): number {
  let last = endOfCharacter(text, end);
  for (let marks = 0; marks < MOST_MARKS && MARK.test(text.charAt(last)); marks += 1) last += 1;
  return last;
}

/** `end`, or one further where it is in the middle of a surrogate pair. */
function endOfCharacter(text: string, end: number): number {
  return (text.codePointAt(end - 1) ?? 0) > 0xffff ? end + 1 : end;
}

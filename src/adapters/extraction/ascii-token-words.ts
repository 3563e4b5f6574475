/* What a byte of an ASCII text is to the expression with which cl100k splits texts. */
const [OTHER, LETTER, DIGIT, SPACE, BREAK] = [0, 1, 2, 3, 4];
const KINDS = Uint8Array.from({ length: 128 }, (_, byte) => kindOf(String.fromCharCode(byte)));
const [BLANK, APOSTROPHE] = [0x20, 0x27];
const CONTRACTIONS = /^'(?:[sdmt]|ll|ve|re)/i;

/**
 * The end of the word that begins at a byte of an ASCII text, as `CL100K_TOKEN_SPLIT_REGEX` of
 * gpt-tokenizer finds it, whose Unicode classes are slow.
 *
 * @param end of the text in the bytes
 */
export function endOfTokenWord(bytes: Buffer, start: number, end: number): number {
  const kind = kindAt(bytes, start);
  const next = start + 1 < end ? kindAt(bytes, start + 1) : undefined;
  if (bytes[start] === APOSTROPHE && next === LETTER) {
    const contraction = CONTRACTIONS.exec(
      bytes.toString('latin1', start, Math.min(start + 3, end)),
    );
    if (contraction) return start + contraction[0].length;
  }
  if (kind === DIGIT) return endOf(DIGIT, bytes, start, Math.min(start + 3, end));
  if (kind === LETTER || (next === LETTER && kind !== BREAK)) {
    return endOf(LETTER, bytes, start + 1, end);
  }
  if (kind === OTHER || (bytes[start] === BLANK && next === OTHER)) {
    return endOf(BREAK, bytes, endOf(OTHER, bytes, start + 1, end), end);
  }
  return endOfSpace(bytes, start, end);
}

/** White space: all of it at the end of the text, else up to its last line break, else all but its last byte. */
function endOfSpace(bytes: Buffer, start: number, end: number): number {
  let [at, afterBreak] = [start, start];
  for (; at < end && kindAt(bytes, at) >= SPACE; at++) {
    if (kindAt(bytes, at) === BREAK) afterBreak = at + 1;
  }
  if (at === end) return end;
  if (afterBreak > start) return afterBreak;
  return Math.max(at - 1, start + 1);
}

function endOf(kind: number, bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && kindAt(bytes, at) === kind) at++;
  return at;
}

function kindAt(bytes: Buffer, at: number): number {
  return KINDS[bytes[at] as number] as number;
}

function kindOf(character: string): number {
  if (/[a-z]/i.test(character)) return LETTER;
  if (/\d/.test(character)) return DIGIT;
  if (/[\r\n]/.test(character)) return BREAK;
  return /\s/.test(character) ? SPACE : OTHER;
}

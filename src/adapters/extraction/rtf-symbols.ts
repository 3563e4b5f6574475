/** What the parser leaves out, so that the words around it were one word, or takes literally. */
const SYMBOLS: Readonly<Record<string, string>> = {
  emdash: '—',
  endash: '–',
  bullet: '•',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
  _: '-',
  '~': ' ',
};
/** These symbols, and any other escape, as `\\endash` is a backslash and a word. */
const ESCAPE = /\\(?:(emdash|endash|bullet|emspace|enspace|qmspace)(?![a-z]) ?|([_~])|.)/gs;
/** Bytes that are no text, which stay as they are. */
const BINARY = /\\bin\d/;

/** Writes dashes, bullets and spaces of RTF, which have names there, as characters. */
export function withSymbols(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  if (BINARY.test(text)) return bytes;
  const written = text.replace(ESCAPE, (whole, word?: string, mark?: string) => {
    const symbol = SYMBOLS[word ?? mark ?? ''];
    return symbol ? `{\\uc1\\u${symbol.charCodeAt(0)}?}` : whole;
  });
  return Buffer.from(written, 'latin1');
}

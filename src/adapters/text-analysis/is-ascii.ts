/** All other characters take several bytes; counting bytes is far quicker than a regular expression. */
export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

/**
 * Counts the parts of a multipart body while it is read. The parser leaves out parts whose headers it
 * does not understand, without saying so.
 *
 * @param contentType the header, which names the boundary
 */
export function countParts(contentType: string): PartCounter {
  const [, quoted, plain = ''] =
    /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? [];
  const delimiter = Buffer.from(`\r\n--${quoted ?? plain}`, 'latin1');
  let delimiters = 0;
  // The first delimiter may begin the body. Later, the end of what was read, where one may have begun.
  let rest: Uint8Array = Buffer.from('\r\n');

  return {
    add(bytes) {
      const unread = Buffer.concat([rest, bytes]);
      let from = 0;
      for (;;) {
        const at = unread.indexOf(delimiter, from);
        if (at === -1) break;
        delimiters += 1;
        from = at + delimiter.length;
      }
      rest = unread.subarray(Math.max(from, unread.length - delimiter.length + 1));
    },
    // The last delimiter ends the body.
    total: () => delimiters - 1,
  };
}

export interface PartCounter {
  /** Takes the next bytes of the body. */
  add(bytes: Uint8Array): void;
  /** The number of parts, when the whole body was taken. */
  total(): number;
}

/** The name in the `filename` of a file: of a path its last part (RFC 7578, 4.2), empty when that is none. */
export function multipartFileName(path: string): string {
  const [name = ''] = decodeWord(path).split(/[\\/]/).slice(-1);
  return /^\.{0,2}$/.test(name) ? '' : decodeMultipartName(name);
}

/**
 * The name of a file in a multipart form. Browsers percent-encode quotes and line breaks in it, and
 * nothing else.
 */
export function decodeMultipartName(name: string): string {
  return name.replaceAll(/%(22|0A|0D)/gi, (code) => decodeURIComponent(code));
}

/** .NET sends a name that is not ASCII as it would be in a mail (RFC 2047). */
function decodeWord(name: string): string {
  const [, word] = /^=\?utf-8\?B\?([A-Za-z0-9+/]+=*)\?=$/i.exec(name) ?? [];
  return word === undefined ? name : Buffer.from(word, 'base64').toString();
}

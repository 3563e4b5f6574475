/**
 * The name of a file in a multipart form. Browsers percent-encode quotes and line breaks in it, and
 * nothing else.
 */
export function decodeMultipartName(name: string): string {
  return name.replaceAll(/%(22|0A|0D)/gi, (code) => decodeURIComponent(code));
}

/** Names that files may have, hard to bring through a header or a URL. */
export const HARD_NAMES: [what: string, name: string][] = [
  ['unicode, spaces and quotes', 'naïve 漢字 "q".md'],
  ['line breaks', 'two\r\nlines.txt'],
  ['what means something in a header', 'a;b, c=%41\'"*.txt'],
  ['what means something in a URL', 'a?b&c#d+e%20f.txt'],
  ['writing from right to left', '\u202Etxt.exe\u202C שלום.txt'],
  ['an emoji', '🦊.txt'],
  ['255 characters', `${'x'.repeat(251)}.txt`],
];

/** The name that a Content-Disposition gives a download. RFC 6266: `filename*` counts, if there is one. */
export function nameIn(disposition: string): string | undefined {
  const [, extended] = /filename\*=UTF-8''([^;]+)/.exec(disposition) ?? [];
  if (extended !== undefined) return decodeURIComponent(extended);
  const [, quoted, plain] = /filename=(?:"((?:[^"\\]|\\.)*)"|([^;]+))/.exec(disposition) ?? [];
  return quoted?.replaceAll(/\\(.)/g, '$1') ?? plain;
}

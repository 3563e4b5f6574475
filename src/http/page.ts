import { readStaticFile, type StaticFile, serveStaticFile } from './static-file.ts';

/** Of every page for browsers. */
export const HTML = 'text/html; charset=utf-8';

/** What of `src/generated` is sent as a file: `npm run generate` makes it in both forms. */
export function readGenerated(contentType: string, name: string): StaticFile {
  return readStaticFile(contentType, {
    gzip: new URL(`../generated/${name}.gz`, import.meta.url),
    br: new URL(`../generated/${name}.br`, import.meta.url),
  });
}

/**
 * Answers with a page. No other page may show it in a frame, where others could guide the clicks.
 *
 * @param policy more directives of its Content-Security-Policy
 */
export function servePage(
  request: Request,
  page: StaticFile,
  { policy = [], vary }: { policy?: string[]; vary?: string } = {},
): Promise<Response> {
  return serveStaticFile(request, page, {
    'content-security-policy': [...policy, "frame-ancestors 'none'"].join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(vary && { vary }),
  });
}

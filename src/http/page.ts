import { readStaticFile, type StaticFile, serveStaticFile } from './static-file.ts';

/** The content type of pages for browsers. */
export const HTML = 'text/html; charset=utf-8';

/** A file of `src/generated`, where `npm run generate` writes it compressed by gzip and by Brotli. */
export function readGenerated(contentType: string, name: string): StaticFile {
  return readStaticFile(contentType, {
    gzip: new URL(`../generated/${name}.gz`, import.meta.url),
    br: new URL(`../generated/${name}.br`, import.meta.url),
  });
}

/**
 * Answers with a page. No other page may show it in a frame, to prevent clickjacking.
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

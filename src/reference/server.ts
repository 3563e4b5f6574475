import { Hono } from 'hono';
import type { Door } from '../http/door.ts';
import { HTML, servePage } from '../http/page.ts';
import { createStaticFile, readStaticFile, serveStaticFile } from '../http/static-file.ts';
import { REDOC } from './redoc.ts';

/** The reference of the REST API as a page, which loads nothing from elsewhere. */
export function createReference(): Door {
  const page = createStaticFile(HTML, PAGE);
  const script = readStaticFile('text/javascript; charset=utf-8', { gzip: REDOC });

  const routes: Door['routes'] = new Hono();
  routes.get('/', ({ req }) => servePage(req.raw, page, { policy: POLICY }));
  routes.get('/redoc.js', ({ req }) => serveStaticFile(req.raw, script));
  return { path: '/docs', routes };
}

/** Redoc writes styles into the page, and searches in a worker that it creates itself. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "connect-src 'self'",
  'worker-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
];

/** Its addresses are relative, for gateways below a path of a proxy. */
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="data:,">
    <title>filequery: reference of the REST API</title>
    <style>body { margin: 0 }</style>
  </head>
  <body>
    <redoc spec-url="v1/openapi.json" required-props-first native-scrollbars></redoc>
    <noscript>The reference needs JavaScript. The document itself is <a href="v1/openapi.json">v1/openapi.json</a>.</noscript>
    <script src="docs/redoc.js"></script>
  </body>
</html>
`;

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { build } from 'vite';
import { listen } from '../../src/http/listen.ts';

/** The pages of test/browser/app, served from an origin of its own. */
export interface Frontend {
  url: string;
  close(): Promise<void>;
}

/**
 * Builds the pages and serves them, with a backend that knows who a user is by a cookie.
 *
 * @param openSession what `POST /session` answers to a user
 */
export async function serveFrontend(
  openSession: (user: string) => Promise<unknown>,
): Promise<Frontend> {
  const outDir = await mkdtemp(join(tmpdir(), 'filequery-frontend-'));
  const root = join(import.meta.dirname, '../browser/app');
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    // As for users: Vitest sets NODE_ENV.
    define: { 'process.env.NODE_ENV': '"production"' },
    oxc: { jsx: { runtime: 'automatic', development: false } },
    build: {
      outDir,
      emptyOutDir: true,
      minify: false,
      rolldownOptions: {
        input: ['apollo', 'urql', 'chat'].map((page) => join(root, `${page}.html`)),
      },
    },
  });

  const server = await listen(
    async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === '/session') {
        const [, user = ''] = /user=(\w+)/.exec(request.headers.get('cookie') ?? '') ?? [];
        return Response.json(await openSession(user));
      }
      return new Response(await readFile(join(outDir, pathname)), {
        headers: { 'content-type': TYPES[extname(pathname)] ?? '' },
      });
    },
    { host: '127.0.0.1', port: 0 },
  );
  return {
    url: server.url,
    async close() {
      await server.stop();
      await rm(outDir, { recursive: true, force: true });
    },
  };
}

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
};

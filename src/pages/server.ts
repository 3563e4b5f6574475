import { Hono } from 'hono';
import { AppError } from '../core/errors.ts';
import { type Door, openCall, type Service } from '../http/door.ts';
import { HTML, readGenerated, servePage } from '../http/page.ts';
import { serveStaticFile } from '../http/static-file.ts';
import { isOwnPage } from './demo-key.ts';

/** Pages of other origins load it; `CORS_ORIGINS` says whether they may call the gateway. */
const SHARED = {
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};

/**
 * The playground, and the chat for other pages.
 *
 * @param demoKey the key of the demo customer, if pages on this computer may have it
 */
export function createPages(service: Service, { demoKey }: { demoKey: string | undefined }): Door {
  const page = readGenerated(HTML, 'playground.html');
  const chat = readGenerated('text/javascript; charset=utf-8', 'filequery-chat.js');

  const routes: Door['routes'] = new Hono();
  routes.get('/', ({ req }) => servePage(req.raw, page));
  routes.get('/filequery-chat.js', ({ req }) => serveStaticFile(req.raw, chat, SHARED));
  routes.post('/demo-key', async ({ req: { raw: request }, env, var: known }) => {
    const { call } = openCall(request, known, service);
    const isGiven =
      demoKey !== undefined && isOwnPage(request, env) && (await isValid(call, demoKey));
    const headers = { 'cache-control': 'no-store', 'cross-origin-resource-policy': 'same-origin' };
    // Not an error: the page asks without knowing whether there is one.
    return isGiven
      ? new Response(demoKey, { headers: { ...headers, 'content-type': 'text/plain' } })
      : new Response(null, { status: 204, headers });
  });
  return { path: '/', routes };

  /** It is not, when there is no demo customer, or when its key was revoked. */
  async function isValid(call: Parameters<typeof service.useCases.authenticate>[0], key: string) {
    try {
      await service.useCases.authenticate(call, key);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'INVALID_CREDENTIAL') return false;
      throw error;
    }
  }
}

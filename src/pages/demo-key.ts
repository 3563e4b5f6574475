import type { Connection } from '../http/gateway-env.ts';
import { isLoopbackAddress, isLoopbackName } from '../http/loopback.ts';

/** The headers that proxies add to forwarded requests. */
const FORWARDED = /^(forwarded|via|x-real-ip|x-forwarded-.*|cf-connecting-ip|true-client-ip)$/;

/**
 * Whether a request is from this gateway's own page in a browser on this computer. Then, and only then,
 * it gets the key of the demo customer:
 *
 * - the connection is from this computer, and no header says that a proxy forwarded the request;
 * - it was sent to a loopback name: the host name of another page could point here;
 * - its origin is that of the page, not of another page, and not that of another local server.
 */
export function isOwnPage({ headers }: Request, { remoteAddress }: Connection): boolean {
  if (!remoteAddress || !isLoopbackAddress(remoteAddress)) return false;
  if ([...headers.keys()].some((name) => FORWARDED.test(name))) return false;
  const host = headers.get('host') ?? '';
  const url = `http://${host}`;
  if (!URL.canParse(url) || !isLoopbackName(new URL(url).hostname)) return false;
  // Browsers send an origin with every POST, and most of them also send the relation to the page.
  const site = headers.get('sec-fetch-site') ?? 'same-origin';
  return headers.get('origin') === url && site === 'same-origin';
}

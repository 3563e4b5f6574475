import type { Connection } from '../http/gateway-env.ts';
import { isLoopbackAddress, isLoopbackName } from '../http/loopback.ts';

/** What proxies add to the requests of others. */
const FORWARDED = /^(forwarded|via|x-real-ip|x-forwarded-.*|cf-connecting-ip|true-client-ip)$/;

/**
 * Whether a request is from this gateway's own page in a browser on this computer. Then, and only then,
 * it gets the key of the demo customer:
 *
 * - the connection is from this computer, and no proxy says that it stands for somebody else;
 * - it was sent to a name of this computer: another page could have its own name point here;
 * - its origin is that of the page, not of another page, and not that of another local server.
 */
export function isOwnPage({ headers }: Request, { remoteAddress }: Connection): boolean {
  if (!remoteAddress || !isLoopbackAddress(remoteAddress)) return false;
  if ([...headers.keys()].some((name) => FORWARDED.test(name))) return false;
  const host = headers.get('host') ?? '';
  const url = `http://${host}`;
  if (!URL.canParse(url) || !isLoopbackName(new URL(url).hostname)) return false;
  // Browsers send an origin with every POST, and most of them the relation to the page as well.
  const site = headers.get('sec-fetch-site') ?? 'same-origin';
  return headers.get('origin') === url && site === 'same-origin';
}

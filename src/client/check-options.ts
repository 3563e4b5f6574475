import type { ConnectionOptions } from './connection.ts';

/** Rejects at once what would fail with each request, or repeat one for ever. */
export function checkOptions({ url, retries = 0 }: ConnectionOptions): void {
  const page = 'location' in globalThis ? globalThis.location.href : undefined;
  const protocol = URL.parse(url, page)?.protocol;
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new TypeError('url must be an address that begins with http:// or https://');
  }
  if (!Number.isInteger(retries) || retries < 0) {
    throw new RangeError('retries must be an integer of at least 0');
  }
}

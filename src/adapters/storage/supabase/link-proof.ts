import { decodeJwt } from 'jose';

/** How long it is believed which links are good. */
const BELIEVED_MS = 5 * 60_000;
const PROBE_MS = 5_000;

interface Link {
  url: string;
  /** When it was signed, in seconds since 1970. */
  signed: number;
}

/**
 * Tells links that the server takes from those that it took once. A project's JWT secret may be
 * changed, which ends all links of before; nobody tells when. So a link is tried now and then, and
 * the answer holds for those that were signed after a good one, or before a bad one.
 */
export function createLinkProof() {
  let believedUntil = 0;
  let goodSince = Number.POSITIVE_INFINITY;
  let badUntil = Number.NEGATIVE_INFINITY;

  return {
    /** Those of the links that are good, as far as the server tells. */
    async good(urls: string[]): Promise<string[]> {
      if (Date.now() > believedUntil) {
        goodSince = Number.POSITIVE_INFINITY;
        badUntil = Number.NEGATIVE_INFINITY;
        believedUntil = Date.now() + BELIEVED_MS;
      }
      const links = urls.map(toLink).toSorted((a, b) => a.signed - b.signed);
      for (let next = unknown(links); next; next = unknown(links)) {
        const taken = await isTaken(next.url);
        // A server that says nothing about it ends no link.
        if (taken === undefined) return urls;
        if (taken) goodSince = Math.min(goodSince, next.signed);
        else badUntil = Math.max(badUntil, next.signed);
      }
      return links.filter(({ signed }) => signed > badUntil).map(({ url }) => url);
    },
  };

  /** One of the links that nothing is known of: the oldest at first, which is mostly good. */
  function unknown(links: Link[]): Link | undefined {
    const left = links.filter(({ signed }) => signed > badUntil && signed < goodSince);
    return badUntil === Number.NEGATIVE_INFINITY ? left[0] : left[Math.floor(left.length / 2)];
  }
}

function toLink(url: string): Link {
  try {
    const { iat = 0 } = decodeJwt(new URL(url).searchParams.get('token') ?? '');
    return { url, signed: iat };
  } catch {
    return { url, signed: 0 };
  }
}

/** @returns undefined when the server does not tell */
async function isTaken(url: string): Promise<boolean | undefined> {
  try {
    const response = await fetch(url, {
      headers: { range: 'bytes=0-0' },
      redirect: 'manual',
      signal: AbortSignal.timeout(PROBE_MS),
    });
    if (response.ok) {
      await response.body?.cancel();
      return true;
    }
    if (response.status >= 500) return undefined;
    const { code = '' } = (await response.json()) as { code?: string };
    // That an object is gone is told only to those with a good link.
    return !['InvalidJWT', 'InvalidSignature'].includes(code);
  } catch {
    return undefined;
  }
}

import { decodeJwt } from 'jose';

/** Milliseconds for which the result about links is cached. */
const REMEMBERED_MS = 5 * 60_000;
const PROBE_MS = 5_000;

interface Link {
  url: string;
  /** When it was signed, in seconds since 1970. */
  signed: number;
}

/**
 * Distinguishes links that the server still accepts from those that it no longer does. When the JWT secret
 * of a project is changed, all earlier links become invalid, and the server does not report when that was.
 * So a link is tried occasionally: links that were signed after a valid one are valid, and links that were
 * signed before an invalid one are not.
 */
export function createLinkProof() {
  let rememberedUntil = 0;
  let goodSince = Number.POSITIVE_INFINITY;
  let badUntil = Number.NEGATIVE_INFINITY;

  return {
    /** The links that are valid, as far as the server says. */
    async good(urls: string[]): Promise<string[]> {
      if (Date.now() > rememberedUntil) {
        goodSince = Number.POSITIVE_INFINITY;
        badUntil = Number.NEGATIVE_INFINITY;
        rememberedUntil = Date.now() + REMEMBERED_MS;
      }
      const links = urls.map(toLink).toSorted((a, b) => a.signed - b.signed);
      for (let next = unknown(links); next; next = unknown(links)) {
        const accepted = await isAccepted(next.url);
        // While the server gives no answer, links count as valid.
        if (accepted === undefined) return urls;
        if (accepted) goodSince = Math.min(goodSince, next.signed);
        else badUntil = Math.max(badUntil, next.signed);
      }
      return links.filter(({ signed }) => signed > badUntil).map(({ url }) => url);
    },
  };

  /** An undecided link to try: the oldest, which is mostly valid; after an invalid one, that in the middle. */
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

/** @returns undefined when the server gives no answer */
async function isAccepted(url: string): Promise<boolean | undefined> {
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
    // The server only reports a missing object when the link is valid.
    return !['InvalidJWT', 'InvalidSignature'].includes(code);
  } catch {
    return undefined;
  }
}

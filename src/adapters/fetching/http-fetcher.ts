import type { IncomingMessage } from 'node:http';
import type { FileFetcher } from '../../ports/file-fetcher.ts';
import { isRedirect } from '../http-requests.ts';
import { type AllowedTargets, createAddressRules } from './address-rules.ts';
import { connect } from './connect.ts';
import { headerText } from './header-text.ts';
import { encodingOf, readBody } from './read-body.ts';
import { remoteName, remoteType } from './remote-name.ts';
import { type Resolve, resolveBySystem, resolveTarget } from './resolve-target.ts';
import { notFetched, REASONS, UnfetchableError } from './unfetchable.ts';

export interface HttpFetcherOptions {
  allowed: AllowedTargets;
  userAgent: string;
  /** Milliseconds until the headers of a response, and for each 30 kB of its body. */
  intervalMs: number;
  /** Resolves host names; by default with the resolver of the system. */
  resolve?: Resolve;
}

const MOST_REDIRECTS = 5;
/** Milliseconds for a file as a whole. */
const TOTAL_MS = 15 * 60_000;

/**
 * Fetches files over HTTP. Every address is checked before a connection to it, also after redirects, and
 * the connection goes to the address that was checked. No cookies, credentials or proxies are used.
 */
export function createHttpFetcher(options: HttpFetcherOptions): FileFetcher {
  const { intervalMs, userAgent, resolve = resolveBySystem } = options;
  const rules = createAddressRules(options.allowed);

  return {
    async fetch(url, signal) {
      const deadline = AbortSignal.timeout(TOTAL_MS);
      const ends = AbortSignal.any([signal, deadline]);
      const explain = (error: unknown, reason: string) => {
        signal.throwIfAborted();
        if (error instanceof UnfetchableError) return notFetched(url, error.message);
        return notFetched(url, deadline.aborted ? REASONS.tooSlow : reason);
      };
      const { response, found } = await follow(url, ends).catch((error: unknown) => {
        throw explain(error, REASONS.unreachable);
      });
      const { headers } = response;
      const isEncoded = encodingOf(response) !== undefined;
      const declared = Number(headers['content-length'] ?? Number.NaN);
      return {
        originalName: remoteName(found, headers),
        mimeType: remoteType(headers),
        size: isEncoded || Number.isNaN(declared) ? undefined : declared,
        body: read(response, (error) => explain(error, REASONS.cut)),
      };
    },
  };

  /** The response with the file, and the URL where it was found. */
  async function follow(
    url: URL,
    signal: AbortSignal,
  ): Promise<{ response: IncomingMessage; found: URL }> {
    let found = url;
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
      const response = await open(found, signal);
      const { statusCode, headers } = response;
      if (statusCode === 200) return { response, found };
      response.destroy();
      const location = headers.location && headerText(headers.location);
      if (!location || !isRedirect(statusCode)) {
        throw new UnfetchableError(`its server answered ${statusCode}`);
      }
      if (!URL.canParse(location, found)) throw new UnfetchableError(REASONS.notAllowed);
      found = new URL(location, found);
    }
    throw new UnfetchableError(REASONS.redirects);
  }

  async function open(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), intervalMs);
    const either = AbortSignal.any([signal, late.signal]);
    try {
      const addresses = await orAborted(resolveTarget(url, { rules, resolve }), either);
      return await connect(url, addresses, { userAgent, signal: either });
    } catch (error) {
      throw late.signal.aborted ? new UnfetchableError(REASONS.tooSlow) : error;
    } finally {
      clearTimeout(timer);
    }
  }

  async function* read(response: IncomingMessage, explain: (error: unknown) => Error) {
    try {
      yield* readBody(response, intervalMs);
    } catch (error) {
      throw explain(error);
    }
  }
}

/** Waits for work that cannot be aborted. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return Promise.race([work, promise]);
}

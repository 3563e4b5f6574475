import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { AddressRules } from './address-rules.ts';
import { REASONS, UnfetchableError } from './unfetchable.ts';

export interface Address {
  address: string;
  /** 4 or 6. */
  family: number;
}

/** Resolves a host name to all of its addresses. */
export type Resolve = (host: string) => Promise<Address[]>;

/** With the resolver of the system, as for every other connection. */
export const resolveBySystem: Resolve = (host) => lookup(host, { all: true, order: 'verbatim' });

/**
 * The addresses to connect to for a URL: all of them are public, or allowed by an operator. The
 * connection must go to one of these, because the name may resolve to other addresses later.
 *
 * @throws UnfetchableError
 */
export async function resolveTarget(
  url: URL,
  { rules, resolve }: { rules: AddressRules; resolve: Resolve },
): Promise<Address[]> {
  if (!/^https?:$/.test(url.protocol) || url.username || url.password || !isWebPort(url.port)) {
    throw new UnfetchableError(REASONS.notAllowed);
  }
  const host = url.hostname.replace(/^\[|[\].]$/g, '');
  const family = isIP(host);
  const found = family
    ? [{ address: host, family }]
    : await resolve(host).catch((): Address[] => []);
  const isAllowed = rules.allowsHost(host) || found.every(({ address }) => rules.allows(address));
  if (found.length === 0 || !isAllowed) throw new UnfetchableError(REASONS.notPublic);
  return found;
}

/** Ports below 1024 belong to other protocols, such as mail. */
function isWebPort(port: string): boolean {
  return ['', '80', '443'].includes(port) || Number(port) >= 1024;
}

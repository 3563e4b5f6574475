import { unusableCredential } from './client-errors.ts';

/** An API key or a token, or a function that fetches a token. */
export type Credential = string | (() => string | Promise<string>);

export interface Credentials {
  /** The credential, which is fetched when it is first needed. */
  current(): Promise<string>;
  /** A new one in place of `refused`; undefined when there is no function to get one. */
  refresh(refused: string): Promise<string | undefined>;
}

/** Keeps the credential that a function returned until it is refused. Concurrent requests share one call. */
export function createCredentials(credential: Credential): Credentials {
  if (typeof credential === 'string') {
    return { current: async () => usable(credential), refresh: async () => undefined };
  }
  let kept: Promise<string> | undefined;
  const fetchOne = (): Promise<string> => {
    const fetched = Promise.resolve().then(credential).then(usable);
    kept = fetched;
    fetched.catch(() => {
      if (kept === fetched) kept = undefined;
    });
    return fetched;
  };
  return {
    current: () => kept ?? fetchOne(),
    async refresh(refused) {
      const before = kept;
      const known = before && (await before.catch(() => undefined));
      if (known !== undefined && known !== refused) return known;
      // Another request that was refused at the same time may be the first to fetch one.
      return kept && kept !== before ? kept : fetchOne();
    },
  };
}

/** A page with an error, in place of a token, does not fit into a header; JSON without a token has none. */
function usable(credential: string): string {
  const isText = typeof credential === 'string';
  if (!isText || !/^[\x21-\x7e]*$/.test(credential.trim())) throw unusableCredential();
  return credential;
}

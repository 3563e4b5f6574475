/** An API key or a token, or a function that gets a token. */
export type Credential = string | (() => string | Promise<string>);

export interface Credentials {
  /** The credential, which is fetched when it is first needed. */
  current(): Promise<string>;
  /** Another one in place of `refused`; undefined when there is no way to get one. */
  refresh(refused: string): Promise<string | undefined>;
}

/** Keeps what a function gets until it is refused. Requests at the same time share one fetch. */
export function createCredentials(credential: Credential): Credentials {
  if (typeof credential === 'string') {
    return { current: async () => credential, refresh: async () => undefined };
  }
  let kept: Promise<string> | undefined;
  const fetchOne = (): Promise<string> => {
    const fetched = Promise.resolve().then(credential);
    kept = fetched;
    fetched.catch(() => {
      if (kept === fetched) kept = undefined;
    });
    return fetched;
  };
  return {
    current: () => kept ?? fetchOne(),
    async refresh(refused) {
      const known = kept && (await kept.catch(() => undefined));
      return known !== undefined && known !== refused ? known : fetchOne();
    },
  };
}

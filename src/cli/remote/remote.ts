import { type Client, createClient } from '../../client/index.ts';
import { ConfigurationError } from '../../core/errors.ts';

/** A gateway to talk to, and the dataset to work on. */
export interface Remote {
  url: string;
  client: Client;
  /** Not needed with a frontend token. */
  datasetId: string | undefined;
}

/** The options of commands that talk to a gateway. */
export interface RemoteOptions {
  url?: string;
  key?: string;
  dataset?: string;
  /** How often a request is sent again; see `ConnectionOptions`. */
  retries?: number;
}

const DEFAULT_URL = 'http://127.0.0.1:4000';

/**
 * The gateway that a command is for, by its options, else by FILEQUERY_URL and FILEQUERY_API_KEY.
 *
 * @throws ConfigurationError when the URL is not one of HTTP, or there is no key that a header can have
 */
export function readRemote(
  { url, key, dataset, retries }: RemoteOptions,
  { FILEQUERY_URL, FILEQUERY_API_KEY }: NodeJS.ProcessEnv,
): Remote {
  const address = url ?? (FILEQUERY_URL || DEFAULT_URL);
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) {
    const source = url === undefined ? 'FILEQUERY_URL' : '--url';
    throw new ConfigurationError(`${source}: must be an http:// or https:// URL`);
  }
  const credential = (key || FILEQUERY_API_KEY)?.trim();
  if (!credential) {
    throw new ConfigurationError('FILEQUERY_API_KEY: must be set to an API key or frontend token');
  }
  // `fetch` would refuse it with a message that quotes its beginning.
  if (!/^[\x20-\x7e]+$/.test(credential)) {
    const source = key ? '--key' : 'FILEQUERY_API_KEY';
    throw new ConfigurationError(
      `${source}: must be an API key or frontend token, in one line of ASCII`,
    );
  }
  return {
    url: address.replace(/\/+$/, ''),
    client: createClient({ url: address, credential, ...(retries !== undefined && { retries }) }),
    datasetId: dataset,
  };
}

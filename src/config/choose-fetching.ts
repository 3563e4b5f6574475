import { isIP } from 'node:net';
import { ConfigurationError } from '../core/errors.ts';

/** How the files of uploads by URL are fetched. */
export interface Fetching {
  /** Allowed sources that are not public: hosts by name, and networks by address and prefix length. */
  allowed: { hosts: string[]; networks: { address: string; prefix: number }[] };
}

export interface FetchingSettings {
  UPLOAD_URLS: boolean;
  UPLOAD_URLS_ALLOWED?: string | undefined;
}

const HOST = /^[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*$/;

/**
 * @returns `undefined` when no files are fetched
 * @throws ConfigurationError naming the setting
 */
export function chooseFetching(settings: FetchingSettings): Fetching | undefined {
  if (!settings.UPLOAD_URLS) return undefined;
  const allowed: Fetching['allowed'] = { hosts: [], networks: [] };
  const texts = settings.UPLOAD_URLS_ALLOWED?.toLowerCase().split(/[\s,]+/) ?? [];
  for (const text of texts.filter(Boolean)) {
    const network = readNetwork(text);
    if (network) allowed.networks.push(network);
    else if (HOST.test(text)) allowed.hosts.push(text);
    else {
      throw new ConfigurationError(
        `UPLOAD_URLS_ALLOWED: must be host names, IP addresses and networks, without ports, not ${text}`,
      );
    }
  }
  return { allowed };
}

function readNetwork(text: string): Fetching['allowed']['networks'][number] | undefined {
  const [, address = '', bits] = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  const most = version === 4 ? 32 : 128;
  const prefix = Number(bits ?? most);
  return version === 0 || prefix > most ? undefined : { address, prefix };
}

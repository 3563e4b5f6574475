import type { Config } from '../config/config.ts';
import { VERSION } from '../config/version.ts';
import type { FileFetcher } from '../ports/file-fetcher.ts';

/** The fetcher for uploads by URL; none when they are disabled. */
export async function openFileFetcher({
  fetching,
  bodyTimeoutMs: intervalMs,
}: Config): Promise<FileFetcher | undefined> {
  if (!fetching) return undefined;
  const { createHttpFetcher } = await import('../adapters/fetching/http-fetcher.ts');
  return createHttpFetcher({ ...fetching, userAgent: `filequery/${VERSION}`, intervalMs });
}

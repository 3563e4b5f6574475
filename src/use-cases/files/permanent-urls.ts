import type { StoredFile } from '../../core/model.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { isListed } from '../../sql/is-listed.ts';
import type { Dependencies } from '../dependencies.ts';

/**
 * The signed download URLs of files, in their order. A URL is created when it is first read and stored
 * in the record of the file. It is created again only when the storage no longer accepts it, because
 * its address or its signing key has changed. A file that is being deleted has none.
 */
export function createPermanentUrls({ query, storage }: Pick<Dependencies, 'query' | 'storage'>) {
  return async function permanentUrls(
    customerKey: number,
    files: StoredFile[],
  ): Promise<(string | null)[]> {
    const kept = files.flatMap(({ permanentUrl }) => permanentUrl ?? []);
    const good = new Set<string | null>(await storage.stillGood(kept));
    const unsigned = files.filter(({ permanentUrl }) => !good.has(permanentUrl));
    const signed = await sign(customerKey, unsigned);
    return files.map(({ fileId, permanentUrl }) =>
      good.has(permanentUrl) ? permanentUrl : (signed.get(fileId) ?? null),
    );
  };

  async function sign(
    customerKey: number,
    files: StoredFile[],
  ): Promise<Map<string, string | null>> {
    if (files.length === 0) return new Map();
    const urls = await storage.signUrls(
      files.map(({ filePath, originalName }) => ({ path: filePath, fileName: originalName })),
    );
    const ids = files.map(({ fileId }) => fileId);
    const before = files.map(({ permanentUrl }) => permanentUrl);
    // When two requests sign at once, the first URL is stored and both return it.
    const kept = await query<{ id: string; url: string | null }>(Prisma.sql`
      UPDATE file SET permanent_url =
        CASE WHEN permanent_url IS NOT DISTINCT FROM signed.before THEN signed.url ELSE permanent_url END
      FROM unnest(${ids}::uuid[], ${before}::text[], ${urls}::text[]) AS signed(id, before, url)
      WHERE file.customer_key = ${customerKey} AND file.id = signed.id AND ${isListed(customerKey)}
      RETURNING file.id::text, permanent_url AS url`);
    return new Map(kept.map(({ id, url }) => [id, url]));
  }
}

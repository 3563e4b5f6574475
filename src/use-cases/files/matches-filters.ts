import type { FileMetadata } from '../../core/chunk-metadata.ts';
import type { Filter } from '../../core/filter.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { matchesAll } from '../../sql/filter-conditions.ts';
import type { Caller } from '../guard.ts';

const { empty, join, sql } = Prisma;

/**
 * A condition on a row of `file`, which begins with AND: its metadata matches all filters, as the
 * metadata of its chunks matches them in a search. The keys are those of `FileMetadata` and of the
 * custom metadata; where a chunk is in its file tells nothing about the file.
 */
export function andMatchesFilters(
  { customerId }: Pick<Caller, 'customerId'>,
  filters: Filter[],
): Prisma.Sql {
  if (filters.length === 0) return empty;
  const columns: Record<keyof FileMetadata, Prisma.Sql> = {
    fileId: sql`file.id::text`,
    originalName: sql`file.original_name`,
    customerId: sql`${customerId}::text`,
    datasetId: sql`file.dataset_id`,
    mimeType: sql`file.mime_type`,
  };
  const members = Object.entries(columns).map(([key, column]) => sql`${key}::text, ${column}`);
  const fileMetadata = sql`jsonb_strip_nulls(jsonb_build_object(${join(members)}))`;
  return sql`AND (SELECT ${matchesAll(filters)} FROM (
    SELECT coalesce(file.extra_meta, '{}') || ${fileMetadata} AS metadata
  ) AS described)`;
}

import type { Filter } from '../../core/filter.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { fileMetadata } from '../../sql/file-metadata.ts';
import { matchesAll } from '../../sql/filter-conditions.ts';
import type { Caller } from '../guard.ts';

const { empty, sql } = Prisma;

/**
 * A condition on a row of `file`, which begins with AND: its metadata matches all filters, as the
 * metadata of its chunks matches them in a search. The keys are those of `FileMetadata` and of the
 * custom metadata; the location of a chunk in its file is not a property of the file.
 */
export function andMatchesFilters(
  { customerId }: Pick<Caller, 'customerId'>,
  filters: Filter[],
): Prisma.Sql {
  if (filters.length === 0) return empty;
  const ofFile = fileMetadata({
    fileId: sql`file.id::text`,
    originalName: sql`file.original_name`,
    customerId: sql`${customerId}::text`,
    datasetId: sql`file.dataset_id`,
    mimeType: sql`file.mime_type`,
  });
  return sql`AND (SELECT ${matchesAll(filters)} FROM (
    SELECT coalesce(file.extra_meta, '{}') || jsonb_strip_nulls(${ofFile}) AS metadata
  ) AS described)`;
}

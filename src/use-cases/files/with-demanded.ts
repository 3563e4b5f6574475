import { FILE_FIELDS, type FileMetadata } from '../../core/chunk-metadata.ts';
import { invalidInput } from '../../core/errors.ts';
import type { Filter, FilterValue } from '../../core/filter.ts';
import type { JsonObject } from '../../core/model.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { matchesAll } from '../../sql/filter-conditions.ts';
import type { Dependencies } from '../dependencies.ts';

const { sql } = Prisma;

/**
 * The custom metadata of an uploaded file, completed with the values that filters require: the caller who
 * uploads the file must be able to see it.
 */
export function withDemanded(filters: Filter[], extraMeta: JsonObject | null): JsonObject | null {
  const missing = filters
    .flatMap(demandedBy)
    // No custom metadata can set the fields of the file.
    .filter(([key]) => !Object.hasOwn(FILE_FIELDS, key) && !Object.hasOwn(extraMeta ?? {}, key));
  return missing.length === 0 ? extraMeta : { ...extraMeta, ...Object.fromEntries(missing) };
}

function demandedBy(filter: Filter): [key: string, value: FilterValue][] {
  if (!('key' in filter)) return (filter.must ?? []).flatMap(demandedBy);
  return 'match' in filter && 'value' in filter.match ? [[filter.key, filter.match.value]] : [];
}

/** @throws AppError INVALID_INPUT naming a file whose metadata does not match all filters */
export async function requireMatches(
  { query }: Pick<Dependencies, 'query'>,
  filters: Filter[],
  files: { extraMeta: JsonObject | null; fileMetadata: FileMetadata }[],
): Promise<void> {
  if (filters.length === 0) return;
  const described = files.map(({ extraMeta, fileMetadata }) =>
    JSON.stringify({ ...extraMeta, ...fileMetadata }),
  );
  const [stranger] = await query<{ name: string }>(sql`
    SELECT metadata ->> 'originalName' AS name
    FROM (SELECT unnest(${described}::text[])::jsonb AS metadata) AS described
    WHERE NOT ${matchesAll(filters)} LIMIT 1`);
  if (stranger) invalidInput(`${stranger.name} does not match the filters of the token`);
}

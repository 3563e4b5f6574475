import type { FilePosition } from '../../core/cursor.ts';
import { type FileOrder, type FileOrderField, NEWEST_FIRST } from '../../core/file-order.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { PageSelection } from '../page-input.ts';

const { empty, join, raw, sql } = Prisma;

/** The page, the order and the conditions of a list of files. */
export interface PageOfFiles extends Partial<PageSelection<FilePosition>> {
  limit: number;
  order?: FileOrder;
  /** Further conditions on a row of `file`, which begin with AND. */
  where?: Prisma.Sql;
}

/** The end of a statement over `file`, after its WHERE, that reads a page. */
export function pageOfFiles({
  limit,
  after,
  before,
  backwards = false,
  order = NEWEST_FIRST,
  where = empty,
}: PageOfFiles): Prisma.Sql {
  const isAscending = (order.direction === 'asc') !== backwards;
  const direction = raw(isAscending ? 'ASC' : 'DESC');
  const columns = [...COLUMNS[order.field], sql`file.id`];
  // A subquery hides the limit from the planner: for a short list it would make a plan of its own each
  // time, which takes longer than reading the list.
  return sql`${where}
    ${after ? isBeyond(after, order, order.direction) : empty}
    ${before ? isBeyond(before, order, order.direction === 'asc' ? 'desc' : 'asc') : empty}
    ORDER BY ${join(columns.map((column) => sql`${column} ${direction}`))} LIMIT (SELECT ${limit}::int)`;
}

/** A condition: a file comes after a position, in the direction of reading. */
function isBeyond(
  { value, fileId }: FilePosition,
  { field }: FileOrder,
  direction: FileOrder['direction'],
): Prisma.Sql {
  const columns = join([...COLUMNS[field], sql`file.id`]);
  const values = join([...VALUES[field](value), sql`${fileId}::uuid`]);
  return sql`AND (${columns}) ${raw(direction === 'asc' ? '>' : '<')} (${values})`;
}

/**
 * What each order compares. Together with the id, every order is total, and none depends on the locale
 * of the database, except for the lower case of letters.
 */
const COLUMNS: Record<FileOrderField, Prisma.Sql[]> = {
  created: [sql`file.created`],
  originalName: [sql`lower(file.original_name) COLLATE "C"`, sql`file.original_name COLLATE "C"`],
  size: [sql`coalesce(file.size, -1)`],
};

/** The same values for a cursor position. */
const VALUES: Record<FileOrderField, (value: string) => Prisma.Sql[]> = {
  created: (value) => [sql`${value}::timestamptz`],
  originalName: (value) => [
    sql`lower(${value}::text) COLLATE "C"`,
    sql`${value}::text COLLATE "C"`,
  ],
  size: (value) => [sql`${value}::bigint`],
};

import type { FileMetadata } from '../core/chunk-metadata.ts';
import { Prisma } from '../generated/prisma/client.ts';

type Sql = ReturnType<typeof Prisma.sql>;

/** A jsonb object with what the metadata of a chunk says about its file; it may have nulls. */
export function fileMetadata(columns: Record<keyof FileMetadata, Sql>): Sql {
  const members = Object.entries(columns).map(
    ([key, column]) => Prisma.sql`${key}::text, ${column}`,
  );
  return Prisma.sql`jsonb_build_object(${Prisma.join(members)})`;
}

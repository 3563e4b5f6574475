import { z } from 'zod';
import type { Filter } from '../../core/filter.ts';
import { isStorable } from '../../core/is-storable.ts';
import { LIMITS } from '../../core/limits.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { readFilters } from '../filters.ts';
import type { Caller } from '../guard.ts';
import { isAbsent, readInput } from '../input.ts';
import { andMatchesFilters } from './matches-filters.ts';

/** Validated conditions on a file, all of which must be met. */
export interface FileConditions {
  originalName?: Partial<Record<'contains' | 'startsWith' | 'eq', Maybe>> | null | undefined;
  /** In lower case, with the dot. */
  extension?: Maybe;
  mimeType?: Maybe;
  /** ISO 8601, in UTC. */
  createdAt?: Partial<Record<'gte' | 'lt', Maybe>> | null | undefined;
  metadata: Filter[];
}

type Maybe = string | null | undefined;

/**
 * @returns `undefined` when no conditions are given
 * @throws AppError INVALID_INPUT
 */
export function readFileConditions(where: unknown): FileConditions | undefined {
  if (isAbsent(where)) return undefined;
  const { metadata, ...read } = readInput(conditions, where);
  return { ...read, metadata: readFilters(metadata) };
}

/**
 * The conditions on a row of `file`, which begin with AND. There is one statement text for all
 * combinations, because each text is prepared separately. Names are compared with functions that know no
 * wildcards.
 */
export function andMeets(
  caller: Pick<Caller, 'customerId'>,
  conditions: FileConditions | undefined,
): Prisma.Sql {
  if (!conditions) return Prisma.empty;
  const { originalName, extension, mimeType, createdAt, metadata } = conditions;
  const name = Prisma.sql`file.original_name`;
  return Prisma.sql`
    ${andWhen(originalName?.contains, (part) => Prisma.sql`strpos(lower(${name}), lower(${part})) > 0`)}
    ${andWhen(originalName?.startsWith, (start) => Prisma.sql`starts_with(lower(${name}), lower(${start}))`)}
    ${andWhen(originalName?.eq, (whole) => Prisma.sql`${name} = ${whole}`)}
    ${andWhen(extension, (exact) => Prisma.sql`file.extension = ${exact}`)}
    ${andWhen(mimeType, (exact) => Prisma.sql`file.mime_type = ${exact}`)}
    ${andWhen(createdAt?.gte, (from) => Prisma.sql`file.created >= ${from}::timestamptz`)}
    ${andWhen(createdAt?.lt, (until) => Prisma.sql`file.created < ${until}::timestamptz`)}
    ${andMatchesFilters(caller, metadata)}`;
}

function andWhen(value: Maybe, condition: (value: Prisma.Sql) => Prisma.Sql): Prisma.Sql {
  const given = Prisma.sql`${value ?? null}::text`;
  return Prisma.sql`AND (${given} IS NULL OR ${condition(given)})`;
}

function text(field: string) {
  return z
    .string(`${field} must be a string`)
    .max(
      LIMITS.fileNameCharacters,
      `${field} must be at most ${LIMITS.fileNameCharacters} characters long`,
    )
    .refine(isStorable, `${field} must be readable text`);
}

/** Rounded up to milliseconds, the precision of all files: no comparison changes. */
function moment(field: string) {
  const message = `${field} must be a point in time as in RFC 3339`;
  return z
    .string(message)
    .toUpperCase()
    .pipe(z.iso.datetime({ offset: true, error: message }))
    .transform((time) => {
      const [, finer = ''] = /\.\d{3}(\d*)/.exec(time) ?? [];
      return new Date(Date.parse(time) + (/[1-9]/.test(finer) ? 1 : 0));
    })
    .refine((date) => date.getUTCFullYear() >= 1 && date.getUTCFullYear() <= 9999, message)
    .transform((date) => date.toISOString());
}

const conditions = z.object(
  {
    originalName: z
      .object(
        {
          contains: text('originalName.contains').nullish(),
          startsWith: text('originalName.startsWith').nullish(),
          eq: text('originalName.eq').nullish(),
        },
        'originalName must be an object',
      )
      .nullish(),
    extension: text('extension')
      .transform((value) => (value === '' ? '' : `.${value.toLowerCase().replace(/^\./, '')}`))
      .nullish(),
    mimeType: text('mimeType').nullish(),
    createdAt: z
      .object(
        { gte: moment('createdAt.gte').nullish(), lt: moment('createdAt.lt').nullish() },
        'createdAt must be an object',
      )
      .nullish(),
    metadata: z.unknown(),
  },
  'where must be an object',
);

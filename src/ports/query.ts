/** An SQL statement; `Prisma.sql` creates one. */
export interface Statement {
  /** With the placeholders `$1`, `$2`, ... for the values. */
  text: string;
  values: unknown[];
}

/**
 * Runs one statement with the database driver that Prisma uses. It is meant for frequent
 * statements: Prisma's `$queryRaw` takes twice as long. Column values are as the driver returns
 * them.
 */
export type Query = <Row>(statement: Statement) => Promise<Row[]>;

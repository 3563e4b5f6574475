/** One statement of SQL; `Prisma.sql` makes them. */
export interface Statement {
  /** With `$1`, `$2`, ... where the values go. */
  text: string;
  values: unknown[];
}

/**
 * Runs one statement on the database behind Prisma, for what most requests do: Prisma's `$queryRaw`
 * takes as long again as the driver below it. Rows come as that driver reads them.
 */
export type Query = <Row>(statement: Statement) => Promise<Row[]>;

/** A row of the table of errors. */
export interface ErrorRow {
  /** What the code means, as the GraphQL enum `ErrorCode` says it. */
  description: string;
  /** The HTTP status. */
  status: number;
  /** A text that needs details is a function of them; the details are part of the public error. */
  text: string | ((details: never) => string);
}

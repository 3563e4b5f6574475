/** A row of the table of errors. */
export interface ErrorRow {
  /** What the code means; the description in the GraphQL enum `ErrorCode`. */
  description: string;
  /** The HTTP status. */
  status: number;
  /** A text with details is a function of them; the details are part of the public error. */
  text: string | ((details: never) => string);
}

/** The part of a structured logger that the service needs: the details of an event, and its name. */
export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

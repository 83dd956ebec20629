/** What the gateway needs of a pino logger. No secret and no payload is ever among the fields. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

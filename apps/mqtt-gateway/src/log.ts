/** The part of a pino logger that the gateway needs. The fields never contain a secret or a payload. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

import type { LoggerService } from '@nestjs/common';
import type { Logger } from '@carillon/observability';

/** Writes Nest's own messages to our log; its start-up messages are debug. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}
  log(message: unknown, ...rest: unknown[]): void {
    this.logger.debug({ from: rest.at(-1) }, String(message));
  }
  error(message: unknown, ...rest: unknown[]): void {
    this.logger.error(
      { from: rest.at(-1), stack: rest[0] },
      message instanceof Error ? message.message : String(message),
    );
  }
  warn(message: unknown, ...rest: unknown[]): void {
    this.logger.warn({ from: rest.at(-1) }, String(message));
  }
  debug(message: unknown): void {
    this.logger.trace(String(message));
  }
  verbose(message: unknown): void {
    this.logger.trace(String(message));
  }
}

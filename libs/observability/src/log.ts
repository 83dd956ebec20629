import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';
import { trace } from '@opentelemetry/api';
import { standardOutput } from './standard-output.ts';

export type Logger = PinoLogger;

/** Paths that are never printed: secrets of accounts, devices and sessions (device-link.md, promises). */
const secretPaths = [
  'password',
  'passwords',
  'secret',
  'token',
  'access_token',
  'refresh_token',
  'authorization',
  'cookie',
  'previousHash',
  'secretHash',
  'claimCode',
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

let destination: DestinationStream | undefined;
let level = 'info';
const loggers = new Set<Logger>();

/**
 * Sets where all loggers of this process write, including existing ones (by default standard output), and the minimum
 * level.
 */
export function setLogDestination(stream: DestinationStream | undefined, atLevel = 'info'): void {
  destination = stream;
  level = atLevel;
  for (const logger of loggers) logger.level = level;
}

const current: DestinationStream = {
  write(line) {
    (destination ?? standardOutput).write(line);
  },
};

/** Creates a logger that writes JSON lines with their trace. `name` is the service. */
export function createLogger(name: string): Logger {
  const logger = pino(
    {
      name,
      level,
      base: { service: name },
      redact: { paths: secretPaths, censor: '[secret]' },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin() {
        const context = trace.getActiveSpan()?.spanContext();
        return context ? { traceId: context.traceId, spanId: context.spanId } : {};
      },
    },
    current,
  );
  loggers.add(logger);
  return logger;
}

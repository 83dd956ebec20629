import type { z } from 'zod';
import type { ServiceName } from '@carillon/contracts/services';
import { createLogger, setLogDestination, startMetrics, startTracing } from '@carillon/observability';
import { Database, type Connection } from '@carillon/persistence';
import { busWithinMs, kafkaLoginOf, openBus, type BusPlace } from './bus.ts';
import { Redis } from './cache/index.ts';
import { printConfig, readConfig, redisConfig, type ConfigShape } from './config.ts';
import type { ServiceDefinition } from './definition.ts';
import { hostService, type HostOptions } from './host.ts';
import { type Health, reportReady } from './health.ts';
import { startOps } from './ops.ts';
import { processConfig } from './process.config.ts';

type ProcessConfig = z.output<typeof processConfig>;

/** Longest orderly shutdown; a process that hangs longer is killed, which everything is designed for. */
const closeWithinMs = 25_000;

function busOf(config: ProcessConfig, service: ServiceName): BusPlace {
  if (config.bus === 'kafka')
    return {
      bus: 'kafka',
      brokers: config.kafkaBrokers,
      name: config.name,
      ...kafkaLoginOf(config, service),
      openWithinMs: busWithinMs,
    };
  const connection = {
    host: config.databaseHost,
    port: config.databasePort,
    database: 'carillon_bus',
    user: 'carillon_bus_app',
    ...(config.busPassword ? { password: config.busPassword } : {}),
  };
  return { bus: 'postgres', connection, name: config.name };
}

function listenOf(config: ProcessConfig): HostOptions['listen'] {
  if (config.httpSocket) return { path: config.httpSocket };
  return config.httpPort > 0
    ? { host: config.httpHost, port: config.httpPort, ...(config.httpShared ? { reusePort: true } : {}) }
    : null;
}

function opsOf(config: ProcessConfig): { path: string } | { host: string; port: number } | null {
  if (config.opsSocket) return { path: config.opsSocket };
  return config.opsPort > 0 ? { host: config.opsHost, port: config.opsPort } : null;
}

function connectionOf(config: ProcessConfig, service: string): Connection {
  const database = config.databaseName || `carillon_${service}`;
  return {
    host: config.databaseHost,
    port: config.databasePort,
    database,
    user: `${database}_app`,
    password: config.databasePassword ?? '',
    poolMax: config.databasePool,
  };
}

async function start(
  definition: ServiceDefinition,
  config: ProcessConfig,
  own: unknown,
): Promise<{ health: Health; stop(onStep: (step: string) => void): Promise<void> }> {
  const stopTracing = startTracing(definition.name, { otlpUrl: config.otlpUrl, file: config.traceFile });
  startMetrics(config.name);
  const bus = await openBus(busOf(config, definition.name));
  const database = definition.database
    ? await Database.open({ connection: connectionOf(config, definition.name), ...definition.database })
    : undefined;
  const { redisUrl: url, redisPrefix: prefix } = readConfig(redisConfig);
  const redis = url ? await Redis.open({ url, prefix, log: createLogger('redis') }) : undefined;
  const hosted = await hostService({
    definition,
    config: own,
    bus,
    redis,
    contextKey: config.contextKey,
    database,
    listen: listenOf(config),
  });
  const ops = opsOf(config);
  const server = ops ? await startOps([hosted.health], ops) : undefined;
  return {
    health: hosted.health,
    async stop(onStep) {
      onStep('drain');
      // A load balancer notices this before the port is closed.
      hosted.health.drain();
      if (listenOf(config))
        await new Promise((resolve) => {
          setTimeout(resolve, config.drainMs);
        });
      await hosted.close(onStep);
      onStep('bus');
      await bus.close();
      onStep('redis');
      await redis?.close();
      server?.close();
      onStep('tracing');
      await stopTracing();
    },
  };
}

/**
 * Runs a service as its own process: settings from the environment, health, metrics, orderly shutdown on SIGTERM. With
 * `--print-config` it prints the settings and exits.
 */
export async function runService<S extends ConfigShape>(definition: ServiceDefinition<S>): Promise<void> {
  const service = definition as unknown as ServiceDefinition;
  if (process.argv.includes('--print-config')) {
    process.stdout.write(printConfig([processConfig, redisConfig, service.config]));
    return;
  }
  const say = (message: Record<string, unknown>): void => {
    process.send?.(message);
  };
  try {
    const config = readConfig(processConfig);
    setLogDestination(undefined, config.logLevel);
    const log = createLogger(definition.name);
    const { health, stop } = await start(service, config, readConfig(service.config));
    let closing = false;
    const close = async (why: string): Promise<void> => {
      if (closing) return;
      closing = true;
      log.info({ why, process: config.name }, 'closing');
      let step = '';
      const tooLong = setTimeout(() => {
        log.error({ step }, 'not closed in time');
        process.exit(1);
      }, closeWithinMs);
      await stop((next) => {
        step = next;
      });
      clearTimeout(tooLong);
      process.exit(0);
    };
    process.on('SIGTERM', () => void close('SIGTERM'));
    process.on('SIGINT', () => void close('SIGINT'));
    // The supervisor is gone: nothing would restart or stop this process.
    if (process.connected) process.on('disconnect', () => void close('the supervisor ended'));
    say(await reportReady([health], log, { process: config.name }));
  } catch (error) {
    createLogger(definition.name).fatal({ err: error }, 'could not start');
    say({ failed: error instanceof Error ? error.message : String(error) });
    process.exitCode = 1;
    setTimeout(() => process.exit(1), 200);
  }
}

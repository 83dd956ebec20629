import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig, startOps, reportReady } from '@carillon/service';
import { createLogger, setLogDestination, startMetrics, startTracing } from '@carillon/observability';
import { standaloneConfig } from './config.ts';
import { startStandalone } from './standalone.ts';

/** The standalone process: all services, the API gateway with the console, and the MQTT gateway. */
const config = readConfig(standaloneConfig);
setLogDestination(undefined, config.logLevel);
const log = createLogger('standalone');
const stopTracing = startTracing('carillon', { otlpUrl: config.otlpUrl, file: config.traceFile });

const say = (message: Record<string, unknown>): void => {
  process.send?.(message);
};

try {
  const running = await startStandalone(config, JSON.parse(readFileSync(join(config.data, 'secrets.json'), 'utf8')), {
    progress: (step) => say({ step }),
  });
  startMetrics('standalone');
  const ops = config.opsSocket ? await startOps(running.healths, { path: config.opsSocket }) : undefined;
  let closing = false;
  const close = async (why: string): Promise<void> => {
    if (closing) return;
    closing = true;
    log.info({ why }, 'closing');
    const tooLong = setTimeout(() => {
      log.error('not closed within 20 s');
      process.exit(1);
    }, 20_000);
    await running.close();
    ops?.close();
    await stopTracing();
    clearTimeout(tooLong);
    process.exit(0);
  };
  process.on('SIGTERM', () => void close('SIGTERM'));
  process.on('SIGINT', () => void close('SIGINT'));
  // Without its supervisor nothing would restart or stop this process.
  process.on('disconnect', () => void close('the supervisor ended'));
  say(await reportReady(running.healths, log));
} catch (error) {
  log.fatal({ err: error }, 'could not start');
  say({ failed: error instanceof Error ? error.message : String(error) });
  process.exitCode = 1;
  setTimeout(() => process.exit(1), 200);
}

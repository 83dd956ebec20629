import { startControl } from './control.ts';
import { startFleet } from './fleet.ts';
import { startPhones } from './phone-fleet.ts';
import { readOptions, usage, type Options } from './options.ts';

/** Runs until SIGTERM or SIGINT; a second signal ends it at once. */
async function run(options: Options): Promise<void> {
  const say = (event: string, fields: Record<string, unknown>) =>
    process.stdout.write(
      options.json
        ? `${JSON.stringify({ event, ...fields })}\n`
        : `${event}: ${Object.entries(fields)
            .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
            .join(', ')}\n`,
    );

  const { phones, devices } = options;
  const onTrouble = (mac: string, error: Error) => say('trouble', { mac, message: error.message });
  const fleet = phones
    ? await startPhones({ ...options, phones, onTrouble })
    : await startFleet({ ...options, onTrouble });
  const control = options.control && (await startControl(fleet, options.control));
  say('started', {
    devices: (phones ?? devices).length,
    ...(phones ? { server: options.server } : { gateway: options.url }),
    pid: process.pid,
  });
  const began = performance.now();
  void fleet.ready.then(() => say('ready', { ...fleet.stats(), afterMs: Math.round(performance.now() - began) }));
  const status =
    options.statusEveryMs > 0
      ? setInterval(
          () => say('status', { ...fleet.stats(), rssMB: Math.round(process.memoryUsage.rss() / 1e6) }),
          options.statusEveryMs,
        )
      : undefined;

  const signal = Promise.withResolvers<void>();
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => signal.resolve());
  // The supervisor was killed; the next one starts its own process.
  if (process.connected) process.once('disconnect', () => signal.resolve());
  await signal.promise;
  clearInterval(status);
  control?.close();
  control?.closeAllConnections();
  await fleet.stop();
  say('stopped', { ...fleet.stats() });
  // An open channel would keep this process alive while its supervisor waits for its end.
  if (process.connected) process.disconnect();
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options) await run(options);
  else process.stdout.write(usage);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

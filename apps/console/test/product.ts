import { rmSync } from 'node:fs';
import { Platform } from '@carillon/testing/platform';

/**
 * The installation of the browser tests. Prints its address as a line of JSON, and stops when its input ends: with its
 * parent, however that ends.
 */
const traceFile = `/tmp/carillon-browser-trace-${process.pid}.jsonl`;
/** The other devices are always offline: their commands wait. */
const online = 248;
const platform = await Platform.start({
  name: 'browser',
  devices: 260,
  online,
  args: ['--reboot-ms', '1500', '--behaviour', `offline=${260 - online},normal=${online}`],
  // Devices that a test disconnects raise no alarms in other tests.
  env: {
    CARILLON_TRACE_FILE: traceFile,
    CARILLON_OUTBOUND_ALLOWED: 'localhost',
    CARILLON_ALARM_OFFLINE_GRACE_MS: '3600000',
  },
});
process.stdout.write(`${JSON.stringify({ folder: platform.folder, traceFile, online })}\n`);
for await (const _ of process.stdin) {
  /* Until the input ends. */
}
try {
  await platform.close();
} finally {
  rmSync(traceFile, { force: true });
}

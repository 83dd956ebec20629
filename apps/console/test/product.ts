import { rmSync } from 'node:fs';
import { Platform } from '@carillon/testing/platform';

/**
 * The installation of the browser tests. Tells in a line of JSON where it is, and ends when its input does: with
 * whoever started it, however that ends.
 */
const traceFile = `/tmp/carillon-browser-trace-${process.pid}.jsonl`;
/** The others are never there: what is for them waits. */
const online = 248;
const platform = await Platform.start({
  name: 'browser',
  devices: 260,
  online,
  args: ['--reboot-ms', '1500', '--behaviour', `offline=${260 - online},normal=${online}`],
  // What a test takes away from the link is no alarm for the others.
  env: {
    CARILLON_TRACE_FILE: traceFile,
    CARILLON_OUTBOUND_ALLOWED: 'localhost',
    CARILLON_ALARM_OFFLINE_GRACE_MS: '3600000',
  },
});
process.stdout.write(`${JSON.stringify({ folder: platform.folder, traceFile, online })}\n`);
for await (const _ of process.stdin) {
  /* until it ends */
}
try {
  await platform.close();
} finally {
  rmSync(traceFile, { force: true });
}

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Measures how fast a starting gateway reads the credentials of all devices from the bus, and their memory:
 * `credentials.ts`.
 */
const { status } = spawnSync(
  process.execPath,
  [
    '--experimental-transform-types',
    '--conditions=carillon-source',
    '--expose-gc',
    '--disable-warning=ExperimentalWarning',
    fileURLToPath(new URL('./credentials.ts', import.meta.url)),
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit' },
);
process.exitCode = status ?? 1;

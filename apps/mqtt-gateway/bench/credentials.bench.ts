import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * How fast a gateway that starts takes in the credentials of all devices through the bus, and what they cost:
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

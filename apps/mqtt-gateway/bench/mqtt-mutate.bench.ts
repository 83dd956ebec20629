import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Sends mutated sessions for 30 s to a gateway with a healthy device; exits with 1 when it fails. */
const { status } = spawnSync(
  process.execPath,
  [
    '--experimental-transform-types',
    '--conditions=carillon-source',
    '--disable-warning=ExperimentalWarning',
    fileURLToPath(new URL('./mutate.ts', import.meta.url)),
    '30',
  ],
  { stdio: 'inherit' },
);
process.exitCode = status ?? 1;

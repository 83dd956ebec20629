import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** 30 s of mutated sessions against a gateway with a healthy device beside them; exit code 1 when it failed. */
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

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { withMachine } from '@carillon/devtools/lock';

/** The gateway, Aedes as shipped and a bare Node server on the same traffic, in turn; `--devices N`, 6,000 when absent. */
const at = process.argv.indexOf('--devices');
const devices = at > 0 ? process.argv[at + 1]! : '6000';
await withMachine(async () => {
  for (let round = 0; round < 3; round++) {
    for (const subject of ['gateway', 'stock', 'floor']) {
      const { status } = spawnSync(process.execPath, ['--experimental-transform-types', '--conditions=carillon-source', '--disable-warning=ExperimentalWarning', fileURLToPath(new URL('./measure.ts', import.meta.url)), devices, subject], { stdio: 'inherit' });
      if (status !== 0) throw new Error(`${subject} ended with ${status}`);
    }
  }
});

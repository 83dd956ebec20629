import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { bench, percentile, report, runs, spread } from '@carillon/devtools/bench';
import { testPostgres } from '@carillon/testing/postgres';
import type { Measured } from './measured.ts';

const { values } = parseArgs({ options: { devices: { type: 'string', default: '10000' } }, strict: false });
const devices = Number(values['devices']);
const root = resolve(import.meta.dirname, '../../..');
const bundles = join(root, 'dist/bench/provisioning');

/**
 * Measures configurations of devices with an account each: from a changed template to the last published configuration,
 * what one device is to have, its file over HTTP keep-alive, and what a changed template reaches. `--devices N` for
 * another number of devices; the last one always has 50,000.
 */
await bench('config', async () => {
  const made = await rolldown({
    input: { measured: join(import.meta.dirname, 'measured.ts') },
    platform: 'node',
    tsconfig: join(root, 'tsconfig.base.json'),
    cwd: root,
    resolve: { conditionNames: ['carillon-source'] },
    external: (id) => !/^(\.|\/|@carillon\/|@oxc-project\/runtime)/.test(id),
  });
  await made.write({ dir: bundles, format: 'esm', keepNames: true, entryFileNames: '[name].js' });
  await made.close();
  // The bundle needs it running, because it has no programs beside it.
  await testPostgres();
  const { measure } = (await import(join(bundles, 'measured.js'))) as typeof import('./measured.ts');
  print(await measure(devices, runs()));
});

function print({ made, one, sent, previewed }: Measured): void {
  report(
    {
      name: `a changed template, until ${devices} configurations are published`,
      unit: 's',
      value: spread(made.ours).median,
      atMost: (20 * devices) / 10_000,
      beside: { name: 'one statement that changes as many rows', value: spread(made.bare).median },
    },
    spread(made.ours),
  );
  report({ name: 'what one device is to have, p95', unit: 'ms', value: percentile(one, 0.95), atMost: 5 }, spread(one));
  report(
    {
      name: 'configuration files sent over HTTP keep-alive',
      unit: 'a second',
      value: spread(sent.ours).median,
      atLeast: 500,
      beside: { name: 'a bare server with the same bytes', value: spread(sent.bare).median },
    },
    spread(sent.ours),
  );
  report(
    {
      name: 'what a changed template reaches among 50,000 devices',
      unit: 'ms',
      value: spread(previewed.ours).median,
      atMost: 300,
      beside: { name: 'one statement that groups the same devices', value: spread(previewed.bare).median },
    },
    spread(previewed.ours),
  );
}

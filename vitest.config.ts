import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './libs/devtools/src/longest-first.ts';

const conditions = ['carillon-source', 'node', 'development|production'];
const project = (name: string, include: string[], more: Record<string, unknown> = {}) => ({
  extends: true as const,
  test: { name, include, environment: 'node', ...more },
});

/** Of the kill tests: one in CI, more by `./carillon test platform --seeds 2,3,4`. */
const seeds = (process.env.CARILLON_TEST_SEEDS ?? '1').split(',').map(Number);

/** Of the fault tests: the short set in CI, the whole by `./carillon test --faults`. */
const faults = process.env.CARILLON_TEST_FAULTS === 'whole' ? 'whole' : 'short';

/** Devices that connect in the test of a whole fleet: none in CI, 15,000 by `./carillon test fleet`. */
const fleet = Number(process.env.CARILLON_TEST_FLEET ?? 0);

/** Seconds of a fuzzer for each way to call: none in CI, 300 by `./carillon test fuzz`. */
const fuzz = Number(process.env.CARILLON_TEST_FUZZ ?? 0);

/**
 * Lanes of browser tests, each with an installation of its own. One lane for a cluster, which takes both cores, and for
 * a file that runs again, alone.
 */
const lanes = process.env.CARILLON_TEST_WAY === 'cluster' || process.env.CARILLON_TEST_ALONE ? 1 : 2;

/** Browser tests that start an installation with settings of their own, and need none beside it. */
const ownInstallation = globSync('apps/console/src/**/*.e2e.ts', { cwd: import.meta.dirname }).filter((file) => {
  const source = readFileSync(new URL(file, import.meta.url), 'utf8');
  return /\buseProduct\([^)]/.test(source) && !source.includes('useProduct()');
});

/** unit: no server. service: real PostgreSQL. platform: the whole product. browser: the whole product in Chromium. */
export default defineConfig({
  resolve: { conditions: ['carillon-source'] },
  // Tests stand outside of the projects' tsconfig (they may import libs/testing), so their decorators are declared
  // here.
  oxc: { decorator: { legacy: true, emitDecoratorMetadata: true } },
  ssr: { resolve: { conditions } },
  test: {
    // A poll of a page that is loaded anew each time, or on a machine that does much else, is no reason to fail.
    expect: { poll: { timeout: 30_000 } },
    // No lane is idle while another has the longest file.
    sequence: { sequencer: LongestFirst },
    tags: [{ name: 'slow', description: 'Only in `./carillon test all` (docs/adr/0038-two-sets.md).' }],
    projects: [
      // The files of a process share what it has loaded, which is half of the time of the one and a seventh of the
      // other.
      project('unit', ['{apps,libs}/*/src/**/*.spec.ts'], { testTimeout: 30_000, isolate: false }),
      project('service', ['{apps,libs}/*/src/**/*.it.ts'], {
        // Four files at once share two processors, and a broker starts slowly in a container (`--containers`): what takes
        // a quarter of this alone must not fail for its time.
        testTimeout: 240_000,
        hookTimeout: 240_000,
        maxWorkers: 4,
        isolate: false,
        provide: { faults },
      }),
      project('platform', ['{apps,libs}/*/src/**/*.platform.ts'], {
        testTimeout: 300_000,
        hookTimeout: 300_000,
        maxWorkers: process.env.CARILLON_TEST_ALONE ? 1 : 2,
        provide: { seeds, faults, fleet, fuzz },
      }),
      project('browser', ['apps/console/src/**/*.e2e.ts'], {
        testTimeout: 240_000,
        hookTimeout: 240_000,
        maxWorkers: lanes,
        isolate: false,
        exclude: ownInstallation,
        globalSetup: ['apps/console/test/product.setup.ts'],
      }),
      project('browser-own', ownInstallation, {
        testTimeout: 240_000,
        hookTimeout: 240_000,
        maxWorkers: lanes,
        isolate: false,
      }),
    ],
  },
});

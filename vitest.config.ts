import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './libs/devtools/src/longest-first.ts';

const conditions = ['carillon-source', 'node', 'development|production'];
const project = (name: string, include: string[], more: Record<string, unknown> = {}) => ({
  extends: true as const,
  test: { name, include, environment: 'node', ...more },
});

/** Seeds of the kill tests: one in CI, more with `./carillon test platform --seeds 2,3,4`. */
const seeds = (process.env.CARILLON_TEST_SEEDS ?? '1').split(',').map(Number);

/** Fault tests: the short set in CI, all with `./carillon test --faults`. */
const faults = process.env.CARILLON_TEST_FAULTS === 'whole' ? 'whole' : 'short';

/** Connected devices in the whole-fleet test: 0 (some hundreds) in CI, 15,000 with `./carillon test fleet`. */
const fleet = Number(process.env.CARILLON_TEST_FLEET ?? 0);

/** Seconds of fuzzing per login: none in CI, 300 with `./carillon test fuzz`. */
const fuzz = Number(process.env.CARILLON_TEST_FUZZ ?? 0);

/**
 * Parallel lanes of browser tests, each with its own installation. One lane for a cluster, which uses both cores, and
 * for a file that runs again alone.
 */
const lanes = process.env.CARILLON_TEST_WAY === 'cluster' || process.env.CARILLON_TEST_ALONE ? 1 : 2;

/** Browser tests that start their own installation and need no shared one. */
const ownInstallation = globSync('apps/console/src/**/*.e2e.ts', { cwd: import.meta.dirname }).filter((file) => {
  const source = readFileSync(new URL(file, import.meta.url), 'utf8');
  return /\buseProduct\([^)]/.test(source) && !source.includes('useProduct()');
});

/** unit: no server. service: real PostgreSQL. platform: the whole product. browser: the whole product in Chromium. */
export default defineConfig({
  resolve: { conditions: ['carillon-source'] },
  ssr: { resolve: { conditions } },
  test: {
    // Many files start the service that listens for phones.
    env: { CARILLON_PHONE_PORT: '0' },
    // A long timeout, because polls may reload a page each time or run on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    // The longest files start first, so that no lane is idle at the end.
    sequence: { sequencer: LongestFirst },
    tags: [{ name: 'slow', description: 'Only in `./carillon test all` (docs/adr/0038-two-sets.md).' }],
    projects: [
      // Files share the modules that their process has loaded, which saves half of the time of unit tests and a seventh
      // of service tests.
      project('unit', ['{apps,libs}/*/src/**/*.spec.ts'], { testTimeout: 30_000, maxWorkers: 2, isolate: false }),
      project('service', ['{apps,libs}/*/src/**/*.it.ts'], {
        // Four files share two processors, and a broker in a container (`--containers`) starts slowly, so the timeout
        // is four times what a test takes alone.
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

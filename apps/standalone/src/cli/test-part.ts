import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './data-folder.ts';
import type { Need } from './test-need.ts';
import { Trouble } from './trouble.ts';

/** A part of `./carillon test`. Its commands run one after the other. */
export interface TestPart {
  commands: readonly (readonly string[])[];
  needs: readonly Need[];
  /** Needs of the slow tests in addition to `needs`. */
  slowNeeds?: readonly Need[];
  env?: Readonly<Record<string, string>>;
  /** Takes the machine's lock: the part starts servers, and other work on the machine would disturb it. */
  isExclusive?: true;
}

export const node = [process.execPath, '--conditions=carillon-source', '--disable-warning=ExperimentalWarning'];
const bin = (name: string): string => join(projectRoot, 'node_modules', '.bin', name);
export const vitest = (...projects: string[]): string[] => [
  bin('vitest'),
  'run',
  ...projects.flatMap((project) => ['--project', project]),
  `--reporter=${join(projectRoot, 'libs/devtools/src/test-reporter.ts')}`,
];
const platformFile = (name: string): string => `apps/standalone/src/${name}.platform.ts`;

/** Platform files that belong to a part of their own; no other part runs them. */
const ownFiles = {
  deploy: ['chart', 'deployment'],
  load: ['k6'],
  fuzz: ['fuzz'],
  fleet: ['fleet'],
} as const;
const withoutOwnFiles = Object.values(ownFiles)
  .flat()
  .flatMap((name) => ['--exclude', `**/${name}.platform.ts`]);

/** Returns the files of one kind that docs/fault-cases.md names. */
const faultFiles = (kind: 'spec' | 'it' | 'platform'): string[] => [
  ...new Set(
    [...readFileSync(join(projectRoot, 'docs/fault-cases.md'), 'utf8').matchAll(/`([\w./-]+\.(\w+)\.ts)`/g)].flatMap(
      ([, file, type]) => (type === kind && file !== 'libs/devtools/src/attack-cases.spec.ts' ? [file!] : []),
    ),
  ),
];
/** Cluster files start 20 processes and Kafka, so they run alone and first. */
const clusterFiles = ['cluster', 'cluster-fault'];
const platformCommands = [
  [...vitest('platform'), '--maxWorkers=1', ...clusterFiles.map(platformFile)],
  [
    ...vitest('platform'),
    ...withoutOwnFiles,
    ...clusterFiles.flatMap((name) => ['--exclude', `**/${name}.platform.ts`]),
  ],
];
/** Files that start their own installation run after the others, so that at most two run at once. */
const browserCommands = [vitest('browser'), vitest('browser-own')];
const faultProjects = { spec: 'unit', it: 'service', platform: 'platform' } as const;

const platformNeeds = ['java', 'redis', 'browser', 'build'] as const;

/** Every part; those of the first set in the order in which they fail soonest. */
export const parts: Readonly<Record<string, TestPart>> = {
  lint: {
    needs: [],
    commands: [
      [bin('oxfmt'), '--check'],
      [...node, 'libs/devtools/src/lines.ts'],
      [bin('oxlint'), '--deny-warnings'],
      [...node, 'libs/devtools/src/boundaries.ts'],
      [...node, 'libs/devtools/src/parts.ts'],
      [...node, 'libs/devtools/src/errors.ts'],
      [...node, 'libs/devtools/src/actions.ts'],
      [...node, 'libs/devtools/src/where.ts'],
      [...node, 'libs/devtools/src/requirements.ts'],
      [...node, 'apps/console/check-texts.ts'],
      [...node, 'libs/devtools/src/words.ts'],
    ],
  },
  // One checker each: several check the shared types once each, and the unit tests use the other processor.
  types: {
    needs: [],
    commands: ['tsconfig.json', 'apps/console/tsconfig.json', 'apps/console/tsconfig.tools.json'].map((project) => [
      bin('tsc'),
      '--checkers',
      '1',
      '--project',
      project,
    ]),
  },
  unit: { needs: [], commands: [vitest('unit')] },
  service: {
    needs: ['java', 'redis', 'slapd'],
    slowNeeds: ['s3'],
    commands: [vitest('service')],
    isExclusive: true,
  },
  // Platform files run first and alone because they kill processes. The browser's installations follow.
  product: {
    needs: [...platformNeeds, 'slapd'],
    slowNeeds: ['prometheus'],
    commands: [...platformCommands, ...browserCommands],
    isExclusive: true,
  },
  platform: {
    needs: platformNeeds,
    slowNeeds: ['prometheus'],
    commands: platformCommands,
    isExclusive: true,
  },
  browser: { needs: ['slapd', 'browser', 'build'], commands: browserCommands, isExclusive: true },
  faults: {
    needs: [...platformNeeds, 'prometheus'],
    commands: (['spec', 'it', 'platform'] as const).map((kind) => [
      ...vitest(faultProjects[kind]),
      ...faultFiles(kind),
    ]),
    isExclusive: true,
  },
  deploy: {
    needs: ['java', 'redis', 'k6', 'goTools', 'browser', 'build'],
    commands: [[...vitest('platform'), ...ownFiles.deploy.map(platformFile)]],
    env: { CARILLON_TEST_FAULTS: 'whole' },
    isExclusive: true,
  },
  load: {
    needs: ['k6', 'build'],
    commands: [[...vitest('platform'), ...ownFiles.load.map(platformFile)]],
    isExclusive: true,
  },
  fuzz: {
    needs: ['browser', 'build'],
    commands: [[...vitest('platform'), ...ownFiles.fuzz.map(platformFile)]],
    env: { CARILLON_TEST_FUZZ: '300' },
    isExclusive: true,
  },
  fleet: {
    needs: ['java', 'redis', 'browser', 'build'],
    commands: [[...vitest('platform'), ...ownFiles.fleet.map(platformFile)]],
    env: { CARILLON_TEST_FLEET: '15000' },
    isExclusive: true,
  },
};

/** The parts that guard every change (docs/adr/0038-two-sets.md). */
const firstSet = ['lint', 'types', 'unit', 'service', 'product'];
/** All parts; they include the slow tests. */
const wholeSet = [...firstSet, 'deploy', 'load', 'fuzz', 'fleet'];

/**
 * Returns whether a part's failed files run once more: its tests share two processors (docs/adr/0035-second-run.md).
 */
export const isRepeated = (part: TestPart): boolean => part.isExclusive === true;

export interface TestOptions {
  seeds?: string;
  faults?: boolean;
  cluster?: boolean;
  containers?: boolean;
  slow?: boolean;
  /** A commit, or true for the default one. */
  changed?: string | true;
}
export interface TestPlan {
  /** By name, in run order. */
  parts: Readonly<Record<string, TestPart>>;
  isSlow: boolean;
  /** Whether a failed file runs once more. `--changed` does not repeat, to answer fast. */
  repeats: boolean;
  /** Whether a skipped test that proves a whole requirement fails the run. */
  proves: boolean;
  needs: ReadonlySet<Need>;
  env: Readonly<Record<string, string>>;
}

/** Returns what a call of `./carillon test` runs. Throws `Trouble` when a part or seed is unknown. */
export function planOf(asked: readonly string[], options: TestOptions): TestPlan {
  if (options.seeds !== undefined && !/^\d+(,\d+)*$/.test(options.seeds))
    throw new Trouble(`--seeds takes whole numbers, as in 2,3,4, not ${options.seeds}.`);
  const isAll = asked.includes('all');
  for (const part of asked)
    if (!(part in parts) && part !== 'all')
      throw new Trouble(`There is no part "${part}"; there are ${['all', ...Object.keys(parts)].join(', ')}.`);
  const names = isAll ? wholeSet : asked.length > 0 ? asked : defaultParts(options);
  return planFor(Object.fromEntries(names.map((name) => [name, parts[name]!])), {
    ...options,
    slow: isAll || options.slow === true || options.faults === true,
    faults: isAll || options.faults === true,
  });
}

/** Returns the plan of the given parts. */
export function planFor(chosen: Readonly<Record<string, TestPart>>, options: TestOptions): TestPlan {
  const isSlow = options.slow === true;
  return {
    parts: chosen,
    isSlow,
    repeats: options.changed === undefined,
    // Their tests are skipped without Docker or Go, which nobody would notice among thousands that passed.
    proves: 'deploy' in chosen || 'load' in chosen,
    needs: new Set([
      ...Object.values(chosen).flatMap(({ needs, slowNeeds }) => [...needs, ...(isSlow ? (slowNeeds ?? []) : [])]),
      ...(options.cluster ? (['java', 'redis'] as const) : []),
    ]),
    env: {
      ...(options.seeds === undefined ? {} : { CARILLON_TEST_SEEDS: options.seeds }),
      ...(options.faults ? { CARILLON_TEST_FAULTS: 'whole' } : {}),
      // The S3 store is compiled with Go.
      ...(isSlow ? {} : { CARILLON_TEST_S3: 'no' }),
      ...(options.cluster ? { CARILLON_TEST_WAY: 'cluster' } : {}),
    },
  };
}

function defaultParts(options: TestOptions): readonly string[] {
  if (options.faults) return ['faults'];
  if (options.cluster) return ['browser'];
  return options.containers ? ['service'] : firstSet;
}

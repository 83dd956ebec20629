import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DockerUnavailable, startDocker } from '@carillon/devtools/docker';
import { ensurePrometheus } from '@carillon/devtools/prometheus';
import { ensureRedis } from '@carillon/devtools/redis';
import { ensureSlapd } from '@carillon/devtools/slapd';
import { ProgressLines, runQuietly } from '@carillon/devtools/test-progress';
import { projectRoot } from './data-folder.ts';
import { prepare } from './prepare.ts';
import { mergeReports, readReport, writeReport, type ReportLine } from './report.ts';
import { Trouble } from './trouble.ts';

const node = [process.execPath, '--conditions=carillon-source', '--disable-warning=ExperimentalWarning'];
const bin = (name: string): string => join(projectRoot, 'node_modules', '.bin', name);
const report = join(projectRoot, 'reports', 'tests.jsonl');
const durationsFile = join(projectRoot, 'reports', 'durations.json');
const vitest = (...projects: string[]): string[] => [
  bin('vitest'),
  'run',
  ...projects.flatMap((project) => ['--project', project]),
  `--reporter=${join(projectRoot, 'libs/devtools/src/test-reporter.ts')}`,
];

/** Everything that is checked before a change lands, in the order in which it fails soonest. */
const parts: Record<string, readonly (readonly string[])[]> = {
  lint: [
    [bin('oxfmt'), '--check'],
    [...node, 'libs/devtools/src/lines.ts'],
    [bin('oxlint'), '--deny-warnings'],
    [...node, 'libs/devtools/src/boundaries.ts'],
    [...node, 'libs/devtools/src/errors.ts'],
    [...node, 'libs/devtools/src/actions.ts'],
    [...node, 'libs/devtools/src/where.ts'],
    [...node, 'libs/devtools/src/requirements.ts'],
    [...node, 'apps/console/check-texts.ts'],
    [...node, 'libs/devtools/src/words.ts'],
  ],
  types: [[bin('tsc'), '-b']],
  unit: [vitest('unit')],
  service: [vitest('service')],
  // The files of the platform first, then the browser's: what its last ones wait for leaves the processors to these.
  product: [vitest('platform', 'browser')],
  platform: [vitest('platform')],
  browser: [vitest('browser')],
  // Parts of those above, in their short set there; alone, and whole, with --faults.
  faults: [
    [...vitest('service'), 'faults.it.ts'],
    [...vitest('platform'), 'apps/standalone/src/cluster.platform.ts'],
  ],
  // Compose and a Kubernetes with upgrades under load, some ten minutes; in `platform` compose is started only.
  deploy: [
    [...vitest('platform'), 'apps/standalone/src/chart.platform.ts', 'apps/standalone/src/deployment.platform.ts'],
  ],
  // The slow set, some minutes each: Schemathesis over every call; 15,000 connections in both ways to run.
  fuzz: [[...vitest('platform'), 'apps/standalone/src/fuzz.platform.ts']],
  fleet: [[...vitest('platform'), 'apps/standalone/src/fleet.platform.ts']],
};
/** Run when asked for only. */
const alone = ['platform', 'browser', 'faults', 'deploy', 'fuzz', 'fleet'];
/** What makes a part whole that is a short form, or nothing, in the others. */
const whole: Partial<Record<string, Record<string, string>>> = {
  deploy: { CARILLON_TEST_FAULTS: 'whole' },
  fuzz: { CARILLON_TEST_FUZZ: '300' },
  fleet: { CARILLON_TEST_FLEET: '15000' },
};
/** Nothing but time comes between these: the compiler does not fill two cores, and neither do short tests. */
const atOnce = ['types', 'unit'];

export async function test(
  asked: readonly string[],
  options: { seeds?: string; faults?: boolean; cluster?: boolean; containers?: boolean } = {},
): Promise<void> {
  if (options.seeds !== undefined && !/^\d+(,\d+)*$/.test(options.seeds))
    throw new Trouble(`--seeds takes whole numbers, as in 2,3,4, not ${options.seeds}.`);
  const environment: Record<string, string> = {
    // Each file of tests is a process of its own, and all load the same packages.
    NODE_COMPILE_CACHE: join(projectRoot, 'dist', '.compiled-tests'),
    ...(options.seeds === undefined ? {} : { CARILLON_TEST_SEEDS: options.seeds }),
    ...(options.faults ? { CARILLON_TEST_FAULTS: 'whole' } : {}),
    ...(options.cluster ? { CARILLON_TEST_WAY: 'cluster' } : {}),
  };
  for (const part of asked)
    if (!(part in parts)) throw new Trouble(`There is no part "${part}"; there are ${Object.keys(parts).join(', ')}.`);
  const chosen =
    asked.length > 0
      ? asked
      : options.faults
        ? ['faults']
        : options.cluster
          ? ['browser']
          : options.containers
            ? ['service']
            : Object.keys(parts).filter((part) => !alone.includes(part));
  const last = lastRun();
  // Run alone, it says nothing of the other parts: what the last run of those told stays.
  const earlier = chosen.every((part) => part in whole) ? testLines() : [];
  rmSync(report, { force: true });
  mkdirSync(join(projectRoot, 'reports'), { recursive: true });
  const any = (...named: string[]): boolean => chosen.some((part) => named.includes(part));
  if (options.cluster || any('service', 'product', 'platform', 'faults', 'deploy', 'fleet')) {
    java();
    inOneSentence(ensureRedis);
  }
  if (any('service', 'product', 'browser')) inOneSentence(ensureSlapd);
  if (any('product', 'platform', 'faults')) inOneSentence(ensurePrometheus);
  if (any('product', 'platform', 'browser', 'faults', 'deploy', 'fuzz', 'fleet')) {
    browser();
    await prepare((text) => process.stdout.write(`${text}\n`));
  }
  const engine = options.containers ? await startEngine() : undefined;
  Object.assign(environment, engine?.environment);
  let failedParts = 0;
  const lines = new ProgressLines(process.stdout);
  const runPart = async (part: string): Promise<void> => {
    const began = performance.now();
    const progress = lines.begin(part, new Map(Object.entries(last.files)), last.parts[part]);
    const failedBefore = failedParts;
    for (const command of parts[part]!) {
      const code = await runQuietly(command, {
        cwd: projectRoot,
        env: {
          ...process.env,
          ...environment,
          ...(process.stdout.isTTY ? {} : { NO_COLOR: '1', FORCE_COLOR: '0' }),
          ...whole[part],
        },
        progress,
      });
      if (code !== 0) {
        failedParts++;
        const name = command.slice(0, 6).map((word) => word.replace(`${projectRoot}/`, ''));
        progress.print(`${part} failed: ${name.join(' ')}`);
      }
    }
    progress.end(failedParts > failedBefore);
    last.parts[part] = Math.round(performance.now() - began);
  };
  const [first, ...others] = chosen.filter((part) => atOnce.includes(part));
  for (const part of chosen) {
    if (part === first) await Promise.all([part, ...others].map(runPart));
    else if (!others.includes(part)) await runPart(part);
  }
  lines.stop();
  await engine?.stop();
  const sums = summary();
  keepDurations(last);
  if (earlier.length > 0) writeFileSync(report, writeReport(mergeReports(earlier, testLines())));
  process.stdout.write(
    `\n${sums.passed} passed, ${sums.failed + failedPartsWithoutTest(failedParts, sums.failed)} failed, ${sums.skipped} skipped\n`,
  );
  process.exitCode = failedParts > 0 || sums.failed > 0 ? 1 : 0;
}

/** A part that failed before it ran a test counts as one. */
const failedPartsWithoutTest = (parts: number, tests: number): number => (parts > 0 && tests === 0 ? parts : 0);

/** What the last run took, in ms, by part and by file: how much time is left follows from it. */
interface Durations {
  parts: Record<string, number>;
  files: Record<string, number>;
}

function lastRun(): Durations {
  try {
    return JSON.parse(readFileSync(durationsFile, 'utf8')) as Durations;
  } catch {
    return { parts: {}, files: {} };
  }
}

function keepDurations(durations: Durations): void {
  for (const [file, tests] of Map.groupBy(testLines(), (line) => line.file))
    durations.files[file] = tests.reduce((sum, test) => sum + test.ms, 0);
  writeFileSync(durationsFile, JSON.stringify(durations));
}

const testLines = (): ReportLine[] => (existsSync(report) ? readReport(readFileSync(report, 'utf8')) : []);

/** Counts the tests and prints the ten slowest files. */
function summary(): Record<ReportLine['status'], number> {
  const lines = testLines();
  const byFile = [...Map.groupBy(lines, (l) => l.file)]
    .map(([name, tests]) => ({ name, ms: tests.reduce((sum, l) => sum + l.ms, 0) }))
    .sort((a, b) => b.ms - a.ms);
  process.stdout.write('\nTen slowest:\n');
  for (const { name, ms } of byFile.slice(0, 10))
    process.stdout.write(`  ${(ms / 1000).toFixed(1).padStart(7)} s  ${name}\n`);
  const failed = lines.filter((l) => l.status === 'failed');
  // Whoever sees but the end of a long output sees them, too.
  if (failed.length > 0) process.stdout.write('\nFailed:\n');
  for (const { file: name, title, error } of failed)
    process.stdout.write(
      `  ${name}\n    ${title}\n${(error ?? '')
        .split('\n')
        .slice(0, 6)
        .map((text) => `      ${text.slice(0, 300)}\n`)
        .join('')}`,
    );
  return {
    passed: lines.filter((l) => l.status === 'passed').length,
    failed: lines.filter((l) => l.status === 'failed').length,
    skipped: lines.filter((l) => l.status === 'skipped').length,
  };
}

/**
 * What testcontainers needs to find the Docker engine: this machine's, or one of our own, in which each image has to be
 * there already and whatever is left of a run ends with it.
 */
async function startEngine(): Promise<{ environment: Record<string, string>; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-docker-'));
  try {
    const docker = await startDocker(folder, (text) => process.stdout.write(`${text}\n`), { compose: false });
    return {
      environment: {
        CARILLON_TEST_SERVERS: 'containers',
        // Ports are published on this machine, also where the tests themselves run in a container beside the engine.
        TESTCONTAINERS_HOST_OVERRIDE: '127.0.0.1',
        ...(docker.own ? { DOCKER_HOST: docker.env['DOCKER_HOST']!, TESTCONTAINERS_RYUK_DISABLED: 'true' } : {}),
      },
      async stop() {
        await docker.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error instanceof DockerUnavailable ? new Trouble(error.message) : error;
  }
}

/** The browser and the fonts for four languages. */
function browser(): void {
  if (
    existsSync('/usr/bin/chromium') &&
    existsSync('/usr/bin/chromium-headless-shell') &&
    existsSync('/usr/share/fonts/opentype/noto')
  )
    return;
  install('The browser tests', 'Chromium and the Noto CJK fonts', [
    'chromium',
    'chromium-headless-shell',
    'fonts-noto-cjk',
  ]);
}

/** What Kafka runs on, and what fetches it. */
function java(): void {
  const there = (program: string): boolean => spawnSync('which', [program]).status === 0;
  if (there('java') && there('mvn')) return;
  install('The tests of the bus', 'Java and Maven for a Kafka broker', ['default-jre-headless', 'maven']);
}

/** By the system's packages, where this user may install them. */
function install(who: string, what: string, packages: readonly string[]): void {
  if (process.getuid?.() !== 0 || spawnSync('which', ['apt-get']).status !== 0)
    throw new Trouble(`${who} need ${what} (Debian: apt-get install ${packages.join(' ')}).`);
  process.stdout.write(`installing ${what}\n`);
  const quiet = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
  spawnSync('apt-get', ['update', '-q'], quiet);
  if (spawnSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...packages], quiet).status !== 0)
    throw new Trouble(`${what} could not be installed by apt-get.`);
}

function inOneSentence(ensure: (say: (text: string) => void) => unknown): void {
  try {
    ensure((text) => process.stdout.write(`${text}\n`));
  } catch (error) {
    throw new Trouble((error as Error).message);
  }
}

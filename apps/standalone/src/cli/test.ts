import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DockerUnavailable, startDocker } from '@carillon/devtools/docker';
import { ensurePrometheus } from '@carillon/devtools/prometheus';
import { ensureRedis } from '@carillon/devtools/redis';
import { canStartS3, ensureS3 } from '@carillon/devtools/s3';
import { ensureSlapd } from '@carillon/devtools/slapd';
import { ProgressLines, runQuietly } from '@carillon/devtools/test-progress';
import { projectRoot } from './data-folder.ts';
import { prepare } from './prepare.ts';
import { filesToRepeat, mergeReports, readReport, takeSecondRun, writeReport, type ReportLine } from './report.ts';
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

/** Every file that docs/fault-cases.md names, and so none that it does not. */
const faultFiles = (kind: 'spec' | 'it' | 'platform'): string[] => [
  ...new Set(
    [...readFileSync(join(projectRoot, 'docs/fault-cases.md'), 'utf8').matchAll(/`([\w./-]+\.(\w+)\.ts)`/g)].flatMap(
      ([, file, of]) => (of === kind && file !== 'libs/devtools/src/attack-cases.spec.ts' ? [file!] : []),
    ),
  ),
];

const deployment = 'deployment.platform.ts';

/** Everything that is checked before a change lands, in the order in which it fails soonest. */
const parts: Record<string, readonly (readonly string[])[]> = {
  lint: [
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
  types: [[bin('tsc'), '-b']],
  unit: [vitest('unit')],
  service: [vitest('service')],
  // The files of the platform first, then the browser's: what its last ones wait for leaves the processors to these.
  // Images are made and two dozen containers start in the last one: it would starve whatever runs beside it.
  product: [
    [...vitest('platform', 'browser'), '--exclude', `**/${deployment}`],
    [...vitest('platform'), `apps/standalone/src/${deployment}`],
  ],
  platform: [vitest('platform')],
  browser: [vitest('browser')],
  // Parts of those above, in their short set there; alone, and whole, with --faults.
  faults: (['spec', 'it', 'platform'] as const).map((kind) => [
    ...vitest(kind === 'spec' ? 'unit' : kind === 'it' ? 'service' : 'platform'),
    ...faultFiles(kind),
  ]),
  // Compose and a Kubernetes with upgrades under load, some ten minutes; in `platform` compose is started only.
  deploy: [[...vitest('platform'), 'apps/standalone/src/chart.platform.ts', `apps/standalone/src/${deployment}`]],
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
/**
 * Several files at once share two processors in these, and each sets its own bounds of time: what fails so runs once
 * more, alone. It must pass then, and is told as unsteady (docs/adr/0035-second-run.md).
 */
const crowded = ['service', 'product', 'platform', 'browser'];
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
  // Before the tests: Go takes both processors for it.
  if (any('service') && canStartS3()) await ensureS3();
  if (any('product', 'platform', 'faults')) inOneSentence(ensurePrometheus);
  // Before the tests as well, for some minutes on a new machine.
  if (any('product', 'platform', 'deploy'))
    for (const builder of ['loadtest/k6/build.ts', 'libs/devtools/src/go-tools.ts'])
      spawnSync(node[0]!, [...node.slice(1), builder], { cwd: projectRoot, stdio: 'inherit' });
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
    const run = (command: readonly string[], more: Record<string, string> = {}): Promise<number> =>
      runQuietly(command, {
        cwd: projectRoot,
        env: {
          ...process.env,
          ...environment,
          ...(process.stdout.isTTY ? {} : { NO_COLOR: '1', FORCE_COLOR: '0' }),
          ...whole[part],
          ...more,
        },
        progress,
      });
    for (const command of parts[part]!) {
      const before = testLines();
      let code = await run(command);
      const first = testLines().slice(before.length);
      // Where a file came to no end, nothing is known of its tests.
      const ended = code !== 0 && crowded.includes(part) && progress.running().length === 0;
      const again = ended ? filesToRepeat(first) : [];
      if (again.length > 0) code = 0;
      for (const file of again) {
        progress.print(`once more, alone: ${file}`);
        code ||= await run([...vitest('service', 'platform', 'browser'), file], { CARILLON_TEST_ALONE: 'yes' });
      }
      const second = testLines().slice(before.length + first.length);
      if (second.length > 0) writeFileSync(report, writeReport([...before, ...takeSecondRun(first, second)]));
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
  const unsteady = lines.filter((l) => l.unsteady !== undefined);
  if (unsteady.length > 0) process.stdout.write('\nUnsteady, passed only when run again, alone:\n');
  tell(unsteady.map((l) => ({ ...l, error: l.unsteady! })));
  const failed = lines.filter((l) => l.status === 'failed');
  // Whoever sees but the end of a long output sees them, too.
  if (failed.length > 0) process.stdout.write('\nFailed:\n');
  tell(failed);
  return {
    passed: lines.filter((l) => l.status === 'passed').length,
    failed: lines.filter((l) => l.status === 'failed').length,
    skipped: lines.filter((l) => l.status === 'skipped').length,
  };
}

function tell(lines: readonly ReportLine[]): void {
  for (const { file, title, error } of lines)
    process.stdout.write(
      `  ${file}\n    ${title}\n${(error ?? '')
        .split('\n')
        .slice(0, 6)
        .map((text) => `      ${text.slice(0, 300)}\n`)
        .join('')}`,
    );
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

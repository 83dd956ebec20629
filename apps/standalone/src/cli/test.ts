import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deadlockFile, deadlocksOf } from '@carillon/devtools/deadlocks';
import { DockerUnavailable, startDocker } from '@carillon/devtools/docker';
import { withMachine } from '@carillon/devtools/lock';
import { ProgressLines, runQuietly, type Progress } from '@carillon/devtools/test-progress';
import { projectRoot } from './data-folder.ts';
import { HighestLoad } from './highest-load.ts';
import { mergeReports, readReport, repeatFailed, unprovenOf, writeReport, type ReportLine } from './report.ts';
import { ensureNeeds } from './test-need.ts';
import { changedParts } from './test-changed.ts';
import { isRepeated, planFor, planOf, vitest, type TestOptions, type TestPart, type TestPlan } from './test-part.ts';
import { Trouble } from './trouble.ts';

const report = join(projectRoot, 'reports', 'tests.jsonl');
const flakyFile = join(projectRoot, 'reports', 'flaky.jsonl');
const durationsFile = join(projectRoot, 'reports', 'durations.json');
/** These parts run at the same time: neither fills two cores alone. */
const atOnce = ['types', 'unit'];

/** Runs `./carillon test` and sets the exit code. */
export async function test(asked: readonly string[], options: TestOptions = {}): Promise<void> {
  const plan = options.changed === undefined ? planOf(asked, options) : planFor(changedParts(options.changed), options);
  const load = new HighestLoad();
  const engine = options.containers ? await startEngine() : undefined;
  const run = new TestRun(plan, engine?.environment ?? {});
  const isExclusive = Object.values(plan.parts).some((part) => part.isExclusive);
  const all = async (): Promise<void> => {
    await ensureNeeds(plan.needs);
    load.begin();
    await run.all();
  };
  await (isExclusive ? withMachine(`./carillon test ${asked.join(' ')}`.trim(), all) : all());
  await engine?.stop();
  run.close(load.stop());
}

class TestRun {
  private readonly plan: TestPlan;
  private readonly environment: Record<string, string>;
  private readonly lines = new ProgressLines(process.stdout);
  private readonly last = lastRun();
  /** Lines of the last run. A run of one part keeps the results of the other parts. */
  private readonly earlier: ReportLine[];
  /** Parts whose failure no second run of a test can fix. */
  private readonly failed = new Set<string>();

  constructor(plan: TestPlan, more: Record<string, string>) {
    this.plan = plan;
    this.environment = {
      // Each test file is a process, and all load the same packages.
      NODE_COMPILE_CACHE: join(projectRoot, 'dist', '.compiled-tests'),
      ...plan.env,
      ...more,
    };
    this.earlier = Object.values(plan.parts).every((part) => part.env !== undefined) ? testLines() : [];
    for (const file of [report, deadlockFile]) rmSync(file, { force: true });
    mkdirSync(join(projectRoot, 'reports'), { recursive: true });
  }

  async all(): Promise<void> {
    const names = Object.keys(this.plan.parts);
    const [first, ...others] = names.filter((name) => atOnce.includes(name));
    for (const name of names) {
      // Stop after a final failure, so that the user sees it at once.
      if (this.failed.size > 0) break;
      if (name === first) await Promise.all([name, ...others].map((one) => this.part(one)));
      else if (!others.includes(name)) await this.part(name);
    }
    if (testLines().some(isFailure)) await this.again();
    this.lines.stop();
  }

  private async part(name: string): Promise<void> {
    const part = this.plan.parts[name]!;
    const began = performance.now();
    const progress = this.lines.begin(name, new Map(Object.entries(this.last.files)), this.last.parts[name]);
    let isFailed = false;
    for (const command of part.commands) {
      const before = testLines().length;
      const code = await this.run(command, progress, part.env);
      if (code === 0) continue;
      isFailed = true;
      // When a file did not finish, the results of its tests are unknown.
      const mayPass = this.plan.repeats && isRepeated(part) && progress.running().length === 0;
      if (mayPass && testLines().slice(before).some(isFailure)) continue;
      this.failed.add(name);
      progress.print(`${name} failed: ${command.slice(0, 6).join(' ').replaceAll(`${projectRoot}/`, '')}`);
    }
    progress.end(isFailed);
    this.last.parts[name] = Math.round(performance.now() - began);
  }

  private run(command: readonly string[], progress: Progress, more: TestPart['env'] = {}): Promise<number> {
    const isVitest = command[1] === 'run';
    return runQuietly([...command, ...(isVitest && !this.plan.isSlow ? ['--tags-filter=!slow'] : [])], {
      cwd: projectRoot,
      env: {
        ...process.env,
        ...this.environment,
        ...(process.stdout.isTTY ? {} : { NO_COLOR: '1', FORCE_COLOR: '0' }),
        ...more,
      },
      progress,
    });
  }

  /** Runs each failed file a second time, after everything else. */
  private async again(): Promise<void> {
    if (this.failed.size > 0) return;
    const progress = this.lines.begin('again, alone', new Map());
    const { lines, flaky, failed } = await repeatFailed(testLines(), async (file) => {
      const projects = file.endsWith('.e2e.ts') ? ['browser*'] : ['service', 'platform'];
      const before = testLines().length;
      const part = Object.values(this.plan.parts).find((one) => one.commands.some((command) => command.includes(file)));
      const code = await this.run([...vitest(...projects), file], progress, {
        ...part?.env,
        CARILLON_TEST_ALONE: 'yes',
      });
      return { code, lines: testLines().slice(before) };
    });
    progress.end(failed.length > 0);
    for (const reason of failed) this.failed.add(reason);
    writeFileSync(report, writeReport(lines));
    const at = new Date().toISOString();
    appendFileSync(flakyFile, flaky.map((line) => `${JSON.stringify({ at, ...line })}\n`).join(''));
  }

  close(highestLoad: number): void {
    const sums = summary();
    const unproven = this.plan.proves ? unprovenOf(testLines()) : [];
    keepDurations(this.last);
    if (this.earlier.length > 0) writeFileSync(report, writeReport(mergeReports(this.earlier, testLines())));
    for (const reason of this.failed) process.stdout.write(`\nFailed: ${reason}`);
    if (unproven.length > 0) process.stdout.write('\nNot proven, because the test of a whole row was skipped:\n');
    printLines(unproven);
    process.stdout.write(`\nHighest load average: ${highestLoad.toFixed(1)}\n`);
    // A part that failed without a failed test counts as one failure.
    const failed = sums.failed + unproven.length || (this.failed.size > 0 ? 1 : 0);
    const skipped = sums.skipped - unproven.length;
    process.stdout.write(`\n${sums.passed} passed, ${failed} failed, ${skipped} skipped\n`);
    process.exitCode = failed > 0 ? 1 : 0;
  }
}

const isFailure = (line: ReportLine): boolean => line.status === 'failed';

/** Durations of the last run in ms, by part and by file. They give the estimate of the remaining time. */
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

/** Prints the first lines of up to five deadlocks, whose statements lock the same rows in different orders. */
function printDeadlocks(): void {
  if (!existsSync(deadlockFile)) return;
  const found = deadlocksOf(readFileSync(deadlockFile, 'utf8'));
  process.stdout.write(`\nDeadlocks in PostgreSQL (fix these first): ${found.length}, all in ${deadlockFile}\n`);
  for (const text of found.slice(0, 5))
    process.stdout.write(
      `${text
        .split('\n')
        .slice(0, 6)
        .map((line) => `  ${line.slice(0, 300)}\n`)
        .join('')}`,
    );
}

/** Prints the ten slowest files, then flaky tests, then failures, because the end is read first. Returns the totals. */
function summary(): Record<ReportLine['status'], number> {
  const lines = testLines();
  const byFile = [...Map.groupBy(lines, (l) => l.file)]
    .map(([name, tests]) => ({ name, ms: tests.reduce((sum, l) => sum + l.ms, 0) }))
    .sort((a, b) => b.ms - a.ms);
  process.stdout.write('\nTen slowest:\n');
  for (const { name, ms } of byFile.slice(0, 10))
    process.stdout.write(`  ${(ms / 1000).toFixed(1).padStart(7)} s  ${name}\n`);
  const flaky = lines.filter((l) => l.flaky !== undefined);
  if (flaky.length > 0) process.stdout.write('\nFlaky, failed beside others and passed alone (fix these first):\n');
  printLines(flaky.map((l) => ({ ...l, error: l.flaky! })));
  printDeadlocks();
  const failed = lines.filter(isFailure);
  if (failed.length > 0) process.stdout.write('\nFailed:\n');
  printLines(failed);
  return {
    passed: lines.filter((l) => l.status === 'passed').length,
    failed: failed.length,
    skipped: lines.filter((l) => l.status === 'skipped').length,
  };
}

function printLines(lines: readonly ReportLine[]): void {
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
 * Starts the engine for testcontainers: the machine's Docker, or a private one that already holds each image. A private
 * engine removes everything that the run left. Throws `Trouble` when no engine can run.
 */
async function startEngine(): Promise<{ environment: Record<string, string>; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-docker-'));
  try {
    const docker = await startDocker(folder, (text) => process.stdout.write(`${text}\n`), { compose: false });
    return {
      environment: {
        CARILLON_TEST_SERVERS: 'containers',
        // Ports are published on this machine, even when the tests run in a container beside the engine.
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

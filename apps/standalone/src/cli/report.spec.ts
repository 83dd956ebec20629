import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from './data-folder.ts';
import {
  filesToRepeat,
  mergeReports,
  readReport,
  repeatFailed,
  takeSecondRun,
  unprovenOf,
  writeReport,
  type ReportLine,
} from './report.ts';

const line = (file: string, title: string, status: ReportLine['status'] = 'passed'): ReportLine => ({
  file,
  title,
  status,
  ms: 1,
});

it('replaces the earlier lines of repeated files and keeps the others', () => {
  const earlier = [
    line('a.it.ts', 'one'),
    line('deployment.platform.ts', 'compose', 'failed'),
    line('deployment.platform.ts', 'a test of another name'),
  ];
  const own = [line('deployment.platform.ts', 'compose'), line('chart.platform.ts', 'helm', 'skipped')];
  const merged = mergeReports(readReport(writeReport(earlier)), own);
  expect(merged).toEqual([earlier[0], ...own]);
  expect(readReport(writeReport(merged))).toEqual(merged);
  expect(readReport('')).toEqual([]);
});

it('names skipped tests with a plain ID, which leave a row unproven', () => {
  const skipped = (title: string) => line('a.platform.ts', title, 'skipped');
  const unproven = [skipped('the chart survives an upgrade [OPS-01]'), skipped('suite > k6 runs [OPS-02/k6] [OPS-03]')];
  expect(
    unprovenOf([
      ...unproven,
      skipped('helm installs the product [OPS-01/helm]'),
      skipped('a full disk is survived'),
      line('b.platform.ts', 'compose runs the product [OPS-01]'),
    ]),
  ).toEqual(unproven);
});

it('repeats at most three failed files, and none when a unit test or no file is to blame', () => {
  const failed = (n: number) => Array.from({ length: n }, (_, i) => line(`${i}.it.ts`, 'one', 'failed'));
  const two = [line('a.it.ts', 'one', 'failed'), line('a.it.ts', 'two', 'failed'), line('b.it.ts', 'one')];
  expect(filesToRepeat(two)).toEqual(['a.it.ts']);
  expect(filesToRepeat(failed(3))).toHaveLength(3);
  expect(filesToRepeat(failed(4))).toEqual([]);
  expect(filesToRepeat([...two, line('b.spec.ts', 'one', 'failed')])).toEqual([]);
  expect(filesToRepeat([...two, line('', 'outside of the tests', 'failed')])).toEqual([]);
});

it('keeps the first error of a test that passes in the second run', () => {
  const first = [
    { ...line('a.it.ts', 'one', 'failed'), error: 'late' },
    line('a.it.ts', 'two'),
    { ...line('b.it.ts', 'one', 'failed'), error: 'wrong' },
    line('c.it.ts', 'one'),
    { ...line('d.it.ts', 'the file itself', 'failed'), error: 'no start' },
    { ...line('e.it.ts', 'left out the second time', 'failed'), error: 'slow' },
    { ...line('e.it.ts', 'not there the second time', 'failed'), error: 'other' },
  ];
  const second = [
    line('a.it.ts', 'one'),
    line('a.it.ts', 'two'),
    { ...line('b.it.ts', 'one', 'failed'), error: 'wrong again' },
    line('d.it.ts', 'one'),
    line('e.it.ts', 'left out the second time', 'skipped'),
  ];
  expect(takeSecondRun(first, second)).toEqual([
    line('c.it.ts', 'one'),
    { ...line('a.it.ts', 'one'), flaky: 'late' },
    line('a.it.ts', 'two'),
    second[2],
    { ...line('d.it.ts', 'one'), flaky: 'no start' },
    first[5],
    first[6],
  ]);
});

/** Test files that fail always, or only while a marker file is missing. */
const planted = {
  always: `import { it } from 'vitest'; it('is broken', () => { throw new Error('broken'); });`,
  once: `import { existsSync, writeFileSync } from 'node:fs'; import { it } from 'vitest';
it('is flaky', () => {
  if (existsSync(import.meta.filename + '.seen')) return;
  writeFileSync(import.meta.filename + '.seen', '');
  throw new Error('too early');
});`,
};

/** Runs the given files as a project of their own. Returns the result of a second run. */
async function twice(files: Record<string, string>) {
  const place = mkdtempSync(join(tmpdir(), 'carillon-second-run-'));
  const reportFile = join(place, 'tests.jsonl');
  const run = (...names: string[]) => {
    rmSync(reportFile, { force: true });
    const reporter = join(projectRoot, 'libs/devtools/src/test-reporter.ts');
    const { status } = spawnSync(
      join(projectRoot, 'node_modules/.bin/vitest'),
      ['run', '--root', place, `--reporter=${reporter}`, ...names],
      { cwd: place, env: { ...process.env, CARILLON_TEST_REPORT: reportFile }, stdio: 'ignore' },
    );
    return { code: status ?? 1, lines: readReport(readFileSync(reportFile, 'utf8')) };
  };
  try {
    symlinkSync(join(projectRoot, 'node_modules'), join(place, 'node_modules'));
    for (const [name, content] of Object.entries(files)) writeFileSync(join(place, name), content);
    return await repeatFailed(run().lines, (file) => Promise.resolve(run(file)));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

it('fails a file that fails twice and reports one that passes the second time as flaky', async () => {
  const { lines, flaky, failed } = await twice({ 'always.test.ts': planted.always, 'once.test.ts': planted.once });
  expect(failed).toEqual(['always.test.ts']);
  expect(flaky).toMatchObject([{ file: 'once.test.ts', title: 'is flaky', status: 'passed', flaky: 'too early' }]);
  expect(lines.map(({ file, status }) => [file, status]).toSorted()).toEqual([
    ['always.test.ts', 'failed'],
    ['once.test.ts', 'passed'],
  ]);
});

it('fails a run in which four files fail the first time', async () => {
  const four = Object.fromEntries([1, 2, 3, 4].map((n) => [`${n}.test.ts`, planted.once]));
  const { flaky, failed } = await twice(four);
  expect([flaky, failed]).toEqual([[], ['4 files failed. At most 3 run once more, so none did.']]);
});

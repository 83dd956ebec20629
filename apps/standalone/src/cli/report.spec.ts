import { expect, it } from 'vitest';
import { filesToRepeat, mergeReports, readReport, takeSecondRun, writeReport, type ReportLine } from './report.ts';

const line = (file: string, title: string, status: ReportLine['status'] = 'passed'): ReportLine => ({
  file,
  title,
  status,
  ms: 1,
});

it('a run of the deployments alone replaces what the report tells of their files and leaves the rest as it was', () => {
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

it('files with a failed test run once more; none do when a failure belongs to no file, or when more than eight failed', () => {
  const failed = (n: number) => Array.from({ length: n }, (_, i) => line(`${i}.it.ts`, 'one', 'failed'));
  const two = [line('a.it.ts', 'one', 'failed'), line('a.it.ts', 'two', 'failed'), line('b.it.ts', 'one')];
  expect(filesToRepeat(two)).toEqual(['a.it.ts']);
  expect(filesToRepeat(failed(8))).toHaveLength(8);
  expect(filesToRepeat(failed(9))).toEqual([]);
  expect(filesToRepeat([...two, line('', 'outside of the tests', 'failed')])).toEqual([]);
});

it('what passes in the second run is told with why it failed in the first, and what fails in both has failed', () => {
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
    { ...line('a.it.ts', 'one'), unsteady: 'late' },
    line('a.it.ts', 'two'),
    second[2],
    { ...line('d.it.ts', 'one'), unsteady: 'no start' },
    first[5],
    first[6],
  ]);
});

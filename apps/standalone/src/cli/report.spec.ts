import { expect, it } from 'vitest';
import { mergeReports, readReport, writeReport, type ReportLine } from './report.ts';

const line = (file: string, title: string, status: ReportLine['status'] = 'passed'): ReportLine => ({
  file,
  title,
  status,
  ms: 1,
});

it('a run of the deployments alone replaces what the report tells of their files and leaves the rest as it was', () => {
  const earlier = [
    line('a.it.ts', 'one [AUTH-05]'),
    line('deployment.platform.ts', 'compose', 'failed'),
    line('deployment.platform.ts', 'a test of another name'),
  ];
  const own = [line('deployment.platform.ts', 'compose'), line('chart.platform.ts', 'helm', 'skipped')];
  const merged = mergeReports(readReport(writeReport(earlier)), own);
  expect(merged).toEqual([earlier[0], ...own]);
  expect(readReport(writeReport(merged))).toEqual(merged);
  expect(readReport('')).toEqual([]);
});

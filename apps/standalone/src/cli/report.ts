export interface ReportLine {
  file: string;
  title: string;
  status: 'passed' | 'failed' | 'skipped';
  ms: number;
  error?: string;
}

/** What an earlier run told of other files, and what this one tells of its own. */
export const mergeReports = (earlier: readonly ReportLine[], own: readonly ReportLine[]): ReportLine[] => {
  const files = new Set(own.map((line) => line.file));
  return [...earlier.filter((line) => !files.has(line.file)), ...own];
};

export const readReport = (text: string): ReportLine[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as ReportLine);
export const writeReport = (lines: readonly ReportLine[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');

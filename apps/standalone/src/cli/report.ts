export interface ReportLine {
  file: string;
  title: string;
  status: 'passed' | 'failed' | 'skipped';
  ms: number;
  /** The error of a failed test, or the reason that a skipped one gives. */
  error?: string;
  /** Error of the first run, beside other files. The test passed when its file ran again alone. */
  flaky?: string;
}

/**
 * Returns skipped tests that alone would prove a whole row of docs/requirements.md: their titles have a plain ID, such
 * as [OPS-01]. The page calls these rows whole.
 */
export const unprovenOf = (lines: readonly ReportLine[]): ReportLine[] =>
  lines.filter(({ status, title }) => status === 'skipped' && /\[[A-Z]+-\d\d\]/.test(title));

/** Maximum number of repeated files. When more fail, the cause is no coincidence. */
const mostAgain = 3;

const failedFiles = (lines: readonly ReportLine[]): string[] => [
  ...new Set(lines.filter((line) => line.status === 'failed').map((line) => line.file)),
];

/**
 * Returns the files with a failed test, each of which runs once more, alone. Returns none when a failure belongs to no
 * file or to a unit test, or when more than three files failed.
 */
export function filesToRepeat(lines: readonly ReportLine[]): string[] {
  const files = failedFiles(lines);
  const isFinal = files.some((file) => file === '' || file.endsWith('.spec.ts'));
  return isFinal || files.length > mostAgain ? [] : files;
}

/**
 * Merges a file's second run into the first. The second result counts; a test that failed only the first time keeps its
 * error. A failed test without a result in the second run, because it was skipped or is gone, stays failed.
 */
export function takeSecondRun(first: readonly ReportLine[], second: readonly ReportLine[]): ReportLine[] {
  const named = (l: ReportLine): string => `${l.file}\n${l.title}`;
  const again = new Set(second.map((l) => l.file));
  const there = new Set(second.map(named));
  const failed = first.filter((l) => l.status === 'failed');
  const why = new Map(failed.map((l) => [named(l), l]));
  const gone = failed.filter((l) => again.has(l.file) && l.title !== wholeFile && !there.has(named(l)));
  const taken = second.map((l) => {
    const before = why.get(named(l)) ?? why.get(`${l.file}\n${wholeFile}`);
    if (before === undefined || l.status === 'failed') return l;
    if (l.status === 'skipped') return why.has(named(l)) ? { ...before, ms: l.ms } : l;
    return { ...l, flaky: before.error ?? 'no reason given' };
  });
  return mergeReports(first, [...taken, ...gone]);
}

/** Title that the reporter gives to a failure outside of any test. */
const wholeFile = 'the file itself';

/** Merges reports: this run's lines replace earlier lines of the same files. */
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

export interface SecondRun {
  /** The report, with second runs instead of the first ones. */
  lines: ReportLine[];
  flaky: ReportLine[];
  /** Final failures: file names, or the reason why no file was repeated. */
  failed: string[];
}

/** Runs each failed file once more with `run`, which returns exit code and lines (docs/adr/0035-second-run.md). */
export async function repeatFailed(
  first: readonly ReportLine[],
  run: (file: string) => Promise<{ code: number; lines: readonly ReportLine[] }>,
): Promise<SecondRun> {
  const all = failedFiles(first);
  const files = filesToRepeat(first);
  if (files.length === 0) return { lines: [...first], flaky: [], failed: all.length === 0 ? [] : [notRepeated(all)] };
  const second: ReportLine[] = [];
  const failed: string[] = [];
  for (const file of files) {
    const { code, lines } = await run(file);
    second.push(...lines);
    if (code !== 0) failed.push(file);
  }
  const lines = takeSecondRun(first, second);
  return { lines, flaky: lines.filter((line) => line.flaky !== undefined), failed };
}

const notRepeated = (files: readonly string[]): string =>
  files.length > mostAgain
    ? `${files.length} files failed. At most ${mostAgain} run once more, so none did.`
    : 'No file ran once more: a failure belongs to a unit test or to no file.';

export interface ReportLine {
  file: string;
  title: string;
  status: 'passed' | 'failed' | 'skipped';
  ms: number;
  error?: string;
  /** Why it failed the first time, beside other files; it passed when its file ran again, alone. */
  unsteady?: string;
}

/** More than these are no coincidence: what is broken fails everywhere, and is not tried again. */
const mostAgain = 8;

/**
 * The files with a failed test that run once more, each alone. None when a failure belongs to no file or to no test of
 * one, or when too many failed.
 */
export function filesToRepeat(lines: readonly ReportLine[]): string[] {
  const failed = lines.filter((line) => line.status === 'failed');
  const files = [...new Set(failed.map((line) => line.file))];
  return files.includes('') || files.length > mostAgain ? [] : files;
}

/**
 * A file's second run replaces its first one; a test that failed only in the first keeps why. One that failed and was
 * not run to its end again, because it is skipped or gone, has failed.
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
    return { ...l, unsteady: before.error ?? 'no reason given' };
  });
  return mergeReports(first, [...taken, ...gone]);
}

/** The title of what failed in a file before any of its tests, as the reporter writes it. */
const wholeFile = 'the file itself';

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

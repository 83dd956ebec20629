import type { DeviceRecord } from './device.schemas.ts';

type Line = DeviceRecord['lines'][number];

/** Whether an account of a line can be reached (spec, section 4: states of a line). */
export const lineTone = (status: Line['status']): 'good' | 'bad' | 'idle' =>
  status === 'registered' || status === 'calling'
    ? 'good'
    : status === 'failed' || status === 'abnormal'
      ? 'bad'
      : 'idle';

/** How many of the lines in use can be reached. */
export function linesInUse(lines: readonly Line[]): { good: number; total: number; bad: boolean } {
  const used = lines.filter((l) => l.status !== 'unassigned');
  return {
    good: used.filter((l) => lineTone(l.status) === 'good').length,
    total: used.length,
    bad: used.some((l) => lineTone(l.status) === 'bad'),
  };
}
/** The same as a list and a file show it. */
export const linesText = (lines: readonly Line[]): string => {
  const { good, total } = linesInUse(lines);
  return `${good}/${total}`;
};

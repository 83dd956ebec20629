import { linesPerDevice } from '../define/constant.ts';
import type { DeviceRecord } from './device.schemas.ts';

type Line = DeviceRecord['lines'][number];

/** Returns whether an account of a line can be reached (ACC-02). */
export const lineTone = (status: Line['status']): 'good' | 'bad' | 'idle' =>
  status === 'registered' || status === 'calling'
    ? 'good'
    : status === 'failed' || status === 'abnormal'
      ? 'bad'
      : 'idle';

/**
 * Returns whether a line can have the account with this number: false while the device reports no account or another
 * one. A device that names no account may be right.
 */
export const reportsAccount = (
  reported: Pick<Line, 'account' | 'status'> | null | undefined,
  number: string,
): boolean =>
  reported !== null &&
  reported !== undefined &&
  reported.status !== 'unassigned' &&
  (reported.account === undefined || reported.account.split('@', 1)[0] === number);

/** Counts the lines in use and those that can be reached: none of an offline device. */
export function linesInUse(lines: readonly Line[], online: boolean): { good: number; total: number; bad: boolean } {
  const used = lines.filter((l) => l.status !== 'unassigned');
  const has = (tone: 'good' | 'bad') => (online ? used.filter((l) => lineTone(l.status) === tone).length : 0);
  return { good: has('good'), total: used.length, bad: has('bad') > 0 };
}
/** Returns the count as lists and files show it. */
export const linesText = (lines: readonly Line[], online: boolean): string => {
  const { good, total } = linesInUse(lines, online);
  return `${good}/${total}`;
};

/** The columns of a file that hold the accounts of the lines. */
export const lineColumns = Array.from({ length: linesPerDevice }, (_, n) => n + 1).map(
  (line) => ({ line, key: `line${line as 1 | 2 | 3 | 4 | 5}` }) as const,
);
export type LineColumn = (typeof lineColumns)[number]['key'];

/** Returns an account as lists and files show it. A number has no `@`. */
export const accountText = ({ number, server }: { number: string; server: string }): string => `${number}@${server}`;

/** Returns the account that a line is to have as text; undefined without one. */
export const lineText = ({ accounts = [] }: Pick<DeviceRecord, 'accounts'>, line: number): string | undefined => {
  const account = accounts.find((a) => a.line === line);
  return account && accountText(account);
};

import type { LineStatus } from '@carillon/contracts';
import type { AssignedLine } from '../device-config/device-config.queries.ts';
import type { PhoneValues } from './phone-event.ts';

type Assigned = Pick<AssignedLine, 'line' | 'number' | 'authUser' | 'address' | 'domain'>;

/** A line as the phone last told of it. */
export interface ToldLine {
  line: number;
  account: string;
  server: string;
  status: LineStatus;
}

/**
 * Returns the line that an event concerns: that of its account, or the only one when the phone names none. Undefined
 * when it is not certain.
 */
export function lineOf<T extends Assigned>(assigned: readonly T[], { account, host }: PhoneValues): T | undefined {
  const own = account === undefined ? assigned : assigned.filter((a) => a.number === account || a.authUser === account);
  if (own.length === 1) return own[0];
  const there = own.filter(({ address, domain }) => account !== undefined && (address === host || domain === host));
  return there.length === 1 ? there[0] : undefined;
}

/**
 * Returns all lines that are known, with the new status of one. A report names all lines of a device, and an event only
 * one. Lines that have lost their account since, or have another one, are left out.
 */
export const withLine = (
  before: readonly ToldLine[],
  assigned: readonly Assigned[],
  { line, number, address }: Assigned,
  status: LineStatus,
): ToldLine[] =>
  [
    ...before.filter(
      (told) => told.line !== line && assigned.some((a) => a.line === told.line && a.number === told.account),
    ),
    { line, account: number, server: address, status },
  ].sort((a, b) => a.line - b.line);

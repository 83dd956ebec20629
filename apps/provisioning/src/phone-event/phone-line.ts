import type { LineStatus } from '@carillon/contracts';
import type { AssignedLine } from '../device-config/device-config.queries.ts';
import type { PhoneValues } from './phone-event.ts';

type Assigned = Pick<AssignedLine, 'line' | 'number' | 'authUser' | 'address' | 'domain'>;

/** A line as the phone last told of it. */
export interface ReportedLine {
  line: number;
  account: string;
  server: string;
  status: LineStatus;
  /** The calls that go on. */
  calls?: ReportedCall[];
}

/** A call by what the phone names it, which can be empty, and since when, in milliseconds. */
export interface ReportedCall {
  name: string;
  since: number;
}

/** Most calls of a line that are counted. */
const mostCalls = 16;

/**
 * Returns the line that an event concerns: that of its number or its account, or the only one when the phone names
 * none. Undefined when it is not certain.
 */
export function lineOf<T extends Assigned>(assigned: readonly T[], values: PhoneValues): T | undefined {
  const { account, host, line: number } = values;
  if (number !== undefined) return assigned.find(({ line }) => String(line) === number);
  const own = account === undefined ? assigned : assigned.filter((a) => a.number === account || a.authUser === account);
  if (own.length === 1) return own[0];
  const there = own.filter(({ address, domain }) => account !== undefined && (address === host || domain === host));
  return there.length === 1 ? there[0] : undefined;
}

/**
 * Returns all lines that are known, with a change of one. A report names all lines of a device, and an event only one.
 * Lines that have lost their account since, or have another one, are left out.
 */
export function withLine(
  before: readonly ReportedLine[],
  assigned: readonly Assigned[],
  { line, number, address }: Assigned,
  change: (former: ReportedLine) => ReportedLine,
): ReportedLine[] {
  const known = before.filter((reported) =>
    assigned.some((a) => a.line === reported.line && a.number === reported.account),
  );
  // A line that makes a call without a word of its registration before is registered.
  const former = known.find((reported) => reported.line === line) ?? {
    line,
    account: number,
    status: 'registered' as const,
  };
  return [...known.filter((reported) => reported.line !== line), change({ ...former, server: address })].sort(
    (a, b) => a.line - b.line,
  );
}

const havingCalls = ({ calls: _, ...line }: ReportedLine, calls: readonly ReportedCall[]): ReportedLine =>
  calls.length === 0 ? line : { ...line, calls: calls.slice(-mostCalls) };

/** Returns a line with a call that has begun, or without one that has ended. A call that is told twice counts once. */
export function withCall(line: ReportedLine, event: 'call-start' | 'call-end', at: number, name = ''): ReportedLine {
  const { calls = [] } = line;
  const others = name === '' ? calls : calls.filter((one) => one.name !== name);
  if (event === 'call-start') return havingCalls(line, [...others, { name, since: at }]);
  // The end of a call without a name is that of the last one.
  return havingCalls(line, name === '' ? calls.slice(0, -1) : others);
}

/** Returns lines without the calls that began at this time or before. */
export const withoutCallsOf = (lines: readonly ReportedLine[], until: number): ReportedLine[] =>
  lines.map((line) =>
    havingCalls(
      line,
      (line.calls ?? []).filter(({ since }) => since > until),
    ),
  );

/** Returns lines as a device reports them: a registered one that has a call is calling. */
export const reportedLines = (lines: readonly ReportedLine[]): Omit<ReportedLine, 'calls'>[] =>
  lines.map(({ calls, ...line }) => ({
    ...line,
    status: calls !== undefined && line.status === 'registered' ? 'calling' : line.status,
  }));

export const callsOf = (lines: readonly ReportedLine[]): number =>
  lines.reduce((sum, { calls = [] }) => sum + calls.length, 0);

import type { DeviceRecord, LineStatus } from '@carillon/contracts';

/**
 * Returns what a device reports of a line that has an account; unregistered when its report omits the line.
 * Provisioning compares the reported account, if any, with the assigned one.
 */
export function assignedLine(
  lines: DeviceRecord['lines'],
  line: number,
): { status: LineStatus; reported?: string | undefined } {
  const told = lines.find((l) => l.line === line);
  return told === undefined || told.status === 'unassigned'
    ? { status: 'unregistered' }
    : { status: told.status, reported: told.account };
}

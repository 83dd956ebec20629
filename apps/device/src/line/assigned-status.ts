import type { DeviceRecord, LineStatus } from '@carillon/contracts';

/** How a line that has an account is registered, by what its device reports; what it says nothing of is not yet. */
export function assignedStatus(lines: DeviceRecord['lines'], line: number): LineStatus {
  const reported = lines.find((l) => l.line === line)?.status;
  return reported === undefined || reported === 'unassigned' ? 'unregistered' : reported;
}

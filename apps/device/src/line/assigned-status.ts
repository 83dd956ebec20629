import type { DeviceRecord, LineStatus } from '@carillon/contracts';

/**
 * Returns the registration status of a line with an account from its device's report; unregistered when the report
 * omits it.
 */
export function assignedStatus(lines: DeviceRecord['lines'], line: number): LineStatus {
  const reported = lines.find((l) => l.line === line)?.status;
  return reported === undefined || reported === 'unassigned' ? 'unregistered' : reported;
}

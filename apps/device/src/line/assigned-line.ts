import type { DeviceRecord, LineStatus } from '@carillon/contracts';

/**
 * Returns what a device reports of a line that has an account; unregistered when its report omits the line.
 * Provisioning compares the reported account, if any, with the assigned one.
 */
export function assignedLine(
  lines: DeviceRecord['lines'],
  line: number,
): { status: LineStatus; reported?: string | undefined } {
  const reported = lines.find((l) => l.line === line);
  return reported === undefined || reported.status === 'unassigned'
    ? { status: 'unregistered' }
    : { status: reported.status, reported: reported.account };
}

/** SQL expression: how many devices that the caller sees have an account `a` on a line. */
export const devicesWithSql = `
  (select count(*)::int from device d where d.accounts @> jsonb_build_array(jsonb_build_object('accountId', a.id)))
`;

/** SQL expression: the accounts that the lines of a device `d` are to have, as far as the caller sees them. */
export const accountsSql = `
  (
    select coalesce(
      jsonb_agg(jsonb_build_object('line', x.line, 'number', a.number, 'server', a.server) order by x.line), '[]'
    )
    from jsonb_to_recordset(d.accounts) as x(line int, "accountId" uuid)
    join account_copy a on a.id = x."accountId"
  )
`;

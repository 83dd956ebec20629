import { lineTone } from '@carillon/contracts/device-line';
import type { listAccountNames, listDeviceLines, listServerNames, RouteInput, RouteReturn } from '@carillon/contracts';
import {
  alphabetic,
  anyContains,
  columns,
  computed,
  containsPattern,
  currentSql,
  iso,
  parameters,
} from '@carillon/persistence';
import { emitLive, found } from '@carillon/service';
import { Device } from '../device/device.entity.ts';
import { DeviceLog } from '../device-log/device-log.entity.ts';
import { deviceView, publishDevices } from '../device/device.publisher.ts';
import { linesOfModel } from '../model/chosen-model.ts';
import { AccountCopy } from './account-copy.entity.ts';
import { devicesWithSql } from './assigned-line.ts';
import { ServerCopy } from './server-copy.entity.ts';

export type DeviceLines = RouteReturn<typeof listDeviceLines>;

const device = columns(Device, 'd', ['id', 'name', 'orgId', 'model', 'lines', 'accounts']);
const account = columns(AccountCopy, 'a', ['id', 'name', 'number', 'server']);
const chosen = columns(AccountCopy, 'a', ['id', 'name', 'number', 'closed']);
const listed = columns(AccountCopy, 'a', ['id', 'name', 'number', 'server'], {
  devices: computed<number>(devicesWithSql),
});
const server = columns(ServerCopy, 's', ['id', 'name', 'address']);
const failure = columns(DeviceLog, 'l', [], {
  line: computed<number>(`(l.detail ->> 'line')::int`),
  at: computed<string>('max(l.at)', iso),
});
const other = columns(Device, 'd', ['id', 'name'], { line: computed<number>('x.line') });

/** Returns a device with its lines; `hold` locks it for the rest of the transaction. */
export async function deviceById(id: string, hold = false) {
  const sql = `select ${device} from device d where d.id = $1 ${hold ? 'for update' : ''}`;
  return found((await currentSql().rows(device, sql, [id]))[0]);
}

/** Returns every line of the device's model, and further ones that the device reports or that have an account. */
export async function linesOf({
  id,
  model,
  lines,
  accounts,
}: Awaited<ReturnType<typeof deviceById>>): Promise<DeviceLines> {
  const known = await accountsById(accounts.map((a) => a.accountId));
  const last = Math.max(await linesOfModel(model), ...[...lines, ...accounts].map((l) => l.line));
  const failures = lines.some((l) => lineTone(l.status) === 'bad') ? await lastFailures(id) : new Map<number, string>();
  return Array.from({ length: last }, (_, i) => i + 1).map((line) => {
    const reported = lines.find((l) => l.line === line);
    return {
      line,
      account: known.get(accounts.find((a) => a.line === line)?.accountId ?? '') ?? null,
      reported: reported
        ? {
            ...{ account: reported.account, server: reported.server, status: reported.status, code: reported.code },
            ...(lineTone(reported.status) === 'bad' ? { failedAt: failures.get(line) } : {}),
          }
        : null,
    };
  });
}

/** Returns when each line of a device failed last, as far as the device log goes back. */
async function lastFailures(deviceId: string): Promise<Map<number, string>> {
  const rows = await currentSql().rows(
    failure,
    `
      select ${failure}
      from device_log l
      where l.device_id = $1 and l.kind = 'line' and l.detail ->> 'to' in ('failed', 'abnormal')
        and coalesce(l.detail ->> 'from', '') not in ('failed', 'abnormal')
      group by l.detail ->> 'line'
    `,
    [deviceId],
  );
  return new Map(rows.map(({ line, at }) => [line, at]));
}

/** Returns accounts by id, without those that the caller does not see. */
export async function accountsById(ids: readonly string[]) {
  const rows = await currentSql().rows(account, `select ${account} from account_copy a where a.id = any ($1::uuid[])`, [
    ids,
  ]);
  return new Map(rows.map((row) => [row.id, row] as const));
}

export function serverNames(): Promise<RouteReturn<typeof listServerNames>> {
  return currentSql().rows(server, `select ${server} from server_copy s order by ${alphabetic('s.name')}, s.id`);
}

export async function serverById(id: string) {
  return (await currentSql().rows(server, `select ${server} from server_copy s where s.id = $1`, [id]))[0];
}

export async function accountById(id: string) {
  return found((await currentSql().rows(chosen, `select ${chosen} from account_copy a where a.id = $1`, [id]))[0]);
}

export async function accountNames(
  query: RouteInput<typeof listAccountNames>['query'],
): Promise<RouteReturn<typeof listAccountNames>> {
  const { add, values } = parameters();
  const like = query.search ? add(containsPattern(query.search)) : undefined;
  const where = [
    'true',
    ...(like ? [anyContains(['a.name', 'a.number'], like)] : []),
    ...(query.serverId ? [`a.server = (select s.name from server_copy s where s.id = ${add(query.serverId)})`] : []),
    ...(query.id ? [`a.id = ${add(query.id)}`] : ['not a.closed']),
  ].join(' and ');
  return currentSql().rows(
    listed,
    `select ${listed} from account_copy a where ${where} order by ${alphabetic('a.name')}, a.id limit 50`,
    values,
  );
}

/** Returns other lines with this account. */
export async function othersWith(accountId: string, deviceId: string, line: number) {
  return currentSql().rows(
    other,
    `
      select ${other}
      from device d
      cross join lateral jsonb_to_recordset(d.accounts) as x("accountId" uuid, line int)
      where d.accounts @> jsonb_build_array(jsonb_build_object('accountId', $1::uuid)) and x."accountId" = $1
        and not (d.id = $2 and x.line = $3)
      order by ${alphabetic('d.name')}, d.id
      limit 20
    `,
    [accountId, deviceId, line],
  );
}

/** Returns lines of other devices with one of these accounts. */
export async function alsoWith(deviceId: string, accounts: readonly { line: number; accountId: string }[]) {
  const found = [];
  for (const { accountId, line } of accounts)
    found.push(...(await othersWith(accountId, deviceId, line)).filter((other) => other.id !== deviceId));
  return found;
}

/** Stores the accounts of the lines and publishes the device. */
export async function setAccounts(id: string, accounts: readonly { line: number; accountId: string }[]): Promise<void> {
  const rows = await currentSql().rows(
    deviceView,
    `update device d set accounts = $2::jsonb, version = version + 1 where d.id = $1 returning ${deviceView}`,
    [id, JSON.stringify([...accounts].sort((a, b) => a.line - b.line))],
  );
  await publishDevices(rows);
  await emitLive(rows[0]!.companyId, 'device', [id], [rows[0]!.orgId]);
}

/** Removes deleted accounts from every line. */
export async function releaseAccounts(accountIds: readonly string[]): Promise<void> {
  const rows = await currentSql().rows(
    deviceView,
    `
      update device d
      set accounts = (
          select coalesce(jsonb_agg(x order by (x ->> 'line')::int), '[]')
          from jsonb_array_elements(d.accounts) x
          where x ->> 'accountId' <> all ($1::text[])
        ),
        version = version + 1
      where d.accounts <> '[]' and exists (
          select from jsonb_array_elements(d.accounts) x where x ->> 'accountId' = any ($1::text[])
        )
        and not exists (select from account_copy a where a.id = any ($1::uuid[]))
      returning ${deviceView}
    `,
    [accountIds],
  );
  if (rows.length === 0) return;
  await publishDevices(rows);
  await emitLive(
    rows[0]!.companyId,
    'device',
    rows.map((r) => r.id),
    rows.map((r) => r.orgId),
  );
}

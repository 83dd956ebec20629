import type { findLineAccounts, listLineSheet, RouteReturn } from '@carillon/contracts';
import { alphabetic, columns, computed, currentSql } from '@carillon/persistence';
import { emitLive } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { Device } from '../device/device.entity.ts';
import { patchDevices } from '../device/device-patch.ts';
import { lineCounts } from '../model/chosen-model.ts';
import { AccountCopy } from './account-copy.entity.ts';
import { devicesWithSql } from './assigned-line.ts';

type Row = RouteReturn<typeof listLineSheet>[number];
export type LineAccounts = readonly { line: number; accountId: string }[];

const row = columns(Device, 'd', ['id', 'name', 'mac', 'model', 'accounts']);
const held = columns(Device, 'd', ['id', 'name', 'orgId', 'model', 'accounts']);
// One reading of the accounts for all rows: under policies no index finds a number in another letter case.
const ambiguous = computed<boolean>(
  'lower(a.number) in (select lower(b.number) from account_copy b group by 1 having count(*) > 1)',
);
const account = columns(AccountCopy, 'a', ['id', 'name', 'number', 'server'], { ambiguous });
const found = columns(AccountCopy, 'a', ['id', 'name', 'number', 'server', 'closed'], {
  ambiguous,
  text: computed<string>('t.text'),
  devices: computed<number>(devicesWithSql),
});
const chosen = columns(AccountCopy, 'a', ['id', 'number', 'closed']);
/** Most accounts that one text names: the caller has to choose anyway. */
const mostMeant = 5;

/** Returns the rows of devices for the spreadsheet, by name. */
export async function sheetRows(ids: readonly string[]): Promise<Row[]> {
  const devices = await currentSql().rows(
    row,
    `select ${row} from device d where d.id = any ($1::uuid[]) order by ${alphabetic('d.name')}, d.id`,
    [ids],
  );
  const accounts = await currentSql().rows(
    account,
    `select ${account} from account_copy a where a.id = any ($1::uuid[])`,
    [devices.flatMap((device) => device.accounts.map((a) => a.accountId))],
  );
  const known = new Map(accounts.map((a) => [a.id, a] as const));
  const linesOf = await lineCounts();
  return devices.map(({ accounts: assigned, ...device }) => ({
    ...device,
    lines: linesOf(device.model),
    accounts: assigned.map((a) => ({ ...a, account: known.get(a.accountId) ?? null })),
  }));
}

/** Returns the accounts that each text names: `2001`, or `2001@PBX` with the name of the server. */
export async function accountsNamed(texts: readonly string[]): Promise<RouteReturn<typeof findLineAccounts>> {
  const rows = await currentSql().rows(
    found,
    `
      select ${found}
      from unnest($1::text[]) as t(text)
      join account_copy a on lower(a.number) = lower(split_part(t.text, '@', 1))
      where position('@' in t.text) = 0 or lower(a.server) = lower(substr(t.text, position('@' in t.text) + 1))
      order by ${alphabetic('a.server')}, a.id
    `,
    [texts],
  );
  return texts.map((text) => ({
    text,
    accounts: rows
      .filter((named) => named.text === text)
      .slice(0, mostMeant)
      .map(({ text: _, ...named }) => named),
  }));
}

/** Returns devices by id, locked for the rest of the transaction in the order of their ids. */
export async function devicesToWrite(ids: readonly string[]) {
  const rows = await currentSql().rows(
    held,
    `select ${held} from device d where d.id = any ($1::uuid[]) order by d.id for update`,
    [ids],
  );
  return new Map(rows.map((device) => [device.id, device] as const));
}

/** Returns accounts by id, without those that the caller does not see. */
export async function chosenAccounts(ids: readonly string[]) {
  const rows = await currentSql().rows(chosen, `select ${chosen} from account_copy a where a.id = any ($1::uuid[])`, [
    ids,
  ]);
  return new Map(rows.map((one) => [one.id, one] as const));
}

/** Stores the accounts of the lines of many devices, and publishes the devices. */
export async function storeAccounts(devices: readonly { id: string; accounts: LineAccounts }[]): Promise<void> {
  if (devices.length === 0) return;
  const rows = await patchDevices(devices.map(({ id, accounts }) => ({ id, set: { accounts } })));
  await emitLive(
    context().companyId,
    'device',
    rows.map((device) => device.id),
    [...new Set(rows.map((device) => device.orgId))],
  );
}

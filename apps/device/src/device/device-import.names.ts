import { importedMac, namesOf } from '@carillon/contracts';
import { lineColumns } from '@carillon/contracts/device-line';
import { columns, currentSql, type RowOf } from '@carillon/persistence';
import type { ImportedRow, RowError } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { DeviceGroup } from '../device-group/device-group.entity.ts';
import { AccountCopy } from '../line/account-copy.entity.ts';
import { serverNames } from '../line/line.queries.ts';
import { knownModels, type KnownModel } from '../model/model.queries.ts';
import { OrganizationCopy } from '../projections/organization.projection.ts';
import type { SiteService } from '../site/site.service.ts';
import { Device } from './device.entity.ts';

type Rows = readonly ImportedRow[];
type Named = ReadonlyMap<string, string[]>;

const stored = columns(Device, 'd', [
  'id',
  'orgId',
  'mac',
  'name',
  'model',
  'sn',
  'siteId',
  'serverId',
  'accounts',
  'groupIds',
  'tags',
  'secretHash',
]);
export type Stored = RowOf<typeof stored>;
const account = columns(AccountCopy, 'a', ['id', 'number', 'server', 'closed']);
export type Account = RowOf<typeof account>;
const group = columns(DeviceGroup, 'g', ['id', 'orgId', 'name', 'rule']);
export type Group = RowOf<typeof group>;
const organization = columns(OrganizationCopy, 'o', ['id', 'name']);

/** What the cells of some rows may name. */
export interface Names {
  devices: ReadonlyMap<string, Stored>;
  models: readonly KnownModel[];
  sites: Named;
  servers: Named;
  serverById: ReadonlyMap<string, string>;
  organizations: Named;
  /** Groups that the cells name, and the ids of all groups with rules. */
  groups: readonly Group[];
  ruled: ReadonlySet<string>;
  accounts: ReadonlyMap<string, Account[]>;
}

/** Returns the part of an account's text before the first `@`, in the form in which texts are compared. */
export const numberIn = (text: string): string => text.split('@', 1)[0]!.trim().toLowerCase();
const has = (rows: Rows, field: string): boolean => rows.some(({ cells }) => cells[field] !== undefined);

/** Reads what the cells of these rows may name, as far as the caller sees it. */
export async function namesFor(rows: Rows, sites: SiteService): Promise<Names> {
  const servers = await serverNames();
  return {
    devices: await devicesOf(rows),
    models: await knownModels(),
    sites: has(rows, 'site') ? await sitesByName(sites) : new Map(),
    servers: byName(servers),
    serverById: new Map(servers.map(({ id, name }) => [id, name])),
    organizations: has(rows, 'organization') ? byName(await organizations()) : new Map(),
    groups: has(rows, 'groups') ? await groupsOf(rows) : [],
    ruled: has(rows, 'groups') ? await ruledGroups() : new Set(),
    accounts: await accountsOf(rows),
  };
}

async function devicesOf(rows: Rows): Promise<ReadonlyMap<string, Stored>> {
  const devices = await currentSql().rows(stored, `select ${stored} from device d where d.mac = any ($1::text[])`, [
    rows.flatMap(({ cells }) => (cells['mac'] === undefined ? [] : importedMac(cells['mac']))),
  ]);
  return new Map(devices.map((device) => [device.mac, device]));
}

/** Returns site ids by name and by full path: `Hotel / Lobby`. */
async function sitesByName(sites: SiteService): Promise<Named> {
  const found = new Map<string, string[]>();
  for (const { id, name, path } of await sites.listNames())
    for (const key of new Set([name.toLowerCase(), path.join(' / ').toLowerCase()]))
      found.set(key, [...(found.get(key) ?? []), id]);
  return found;
}

async function organizations(): Promise<RowOf<typeof organization>[]> {
  const { orgIds } = context();
  const all = await currentSql().rows(organization, `select ${organization} from organization_copy o`);
  return orgIds === '*' ? all : all.filter(({ id }) => orgIds.includes(id));
}

/** Locks the named groups, so that none is deleted or gets a rule before the rows are written. */
function groupsOf(rows: Rows): Promise<Group[]> {
  const names = rows.flatMap(({ cells }) => namesOf(cells['groups'] ?? ''));
  return currentSql().rows(
    group,
    `select ${group} from device_group g where lower(g.name) = any ($1::text[]) order by g.id for share`,
    [[...new Set(names.map((name) => name.toLowerCase()))]],
  );
}

async function ruledGroups(): Promise<ReadonlySet<string>> {
  const { rows } = await currentSql().query<{ id: string }>('select id from device_group where rule is not null');
  return new Set(rows.map(({ id }) => id));
}

/** Returns accounts by their number in lower case. */
async function accountsOf(rows: Rows): Promise<ReadonlyMap<string, Account[]>> {
  const numbers = rows.flatMap(({ cells }) =>
    lineColumns.flatMap(({ key }) => (cells[key] === undefined ? [] : numberIn(cells[key]))),
  );
  if (numbers.length === 0) return new Map();
  const accounts = await currentSql().rows(
    account,
    `select ${account} from account_copy a where lower(a.number) = any ($1::text[])`,
    [[...new Set(numbers)]],
  );
  const found = new Map<string, Account[]>();
  for (const account of accounts)
    found.set(numberIn(account.number), [...(found.get(numberIn(account.number)) ?? []), account]);
  return found;
}

function byName(all: readonly { id: string; name: string }[]): Named {
  const found = new Map<string, string[]>();
  for (const { id, name } of all) found.set(name.toLowerCase(), [...(found.get(name.toLowerCase()) ?? []), id]);
  return found;
}

/**
 * Returns the id for a name; of several the current one. Returns an error when there is none or the name is ambiguous.
 */
export function namedIn(
  field: string,
  all: Named,
  name: string | undefined,
  now: string | null | undefined,
): { id?: string; error?: RowError } {
  if (name === undefined) return {};
  const ids = all.get(name.toLowerCase()) ?? [];
  if (ids.length === 1) return { id: ids[0]! };
  if (now && ids.includes(now)) return { id: now };
  return { error: { field, error: ids.length === 0 ? 'import.notFound' : 'import.notOne' } };
}

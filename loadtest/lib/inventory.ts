import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { listServerNames, listSiteNames, type Client } from '@carillon/contracts';
import { devicePlace } from '@carillon/testing/device-place';
import type { Instance } from './instance.ts';

/** Shared by the parts of `bench inventory`: a filled installation, its databases, and waiting. */

const { values } = parseArgs({ strict: false, options: { small: { type: 'boolean', default: false } } });
/** `--small` uses a twentieth of everything, for a quick look at a change. */
export const sized = (count: number): number => (values.small ? Math.ceil(count / 20) : count);
export const written = (count: number): string => count.toLocaleString('en');

export const pause = (ms: number): Promise<void> =>
  new Promise((done) => {
    setTimeout(done, ms);
  });

/**
 * Polls until the condition holds, and returns that time. Pauses longer after a slow poll, so that polling takes at
 * most a quarter of the time.
 */
export async function until(look: () => Promise<boolean> | boolean, everyMs = 50, withinMs = 300_000): Promise<number> {
  for (const began = performance.now(); ;) {
    const from = performance.now();
    const is = await look();
    const now = performance.now();
    if (is) return now;
    if (now - began > withinMs) throw new Error(`waited ${withinMs / 1000} s for: ${look.toString()}`);
    await pause(Math.max(everyMs, (now - from) * 3));
  }
}

/** Fails after the given time, because waiting in a page has no timeout of its own. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, failed) => {
    timer = setTimeout(() => failed(new Error(`waited ${ms / 1000} s in vain`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The services that copy every device from the device service. */
export const copying = ['task', 'notification', 'provisioning', 'org', 'resource'] as const;
type Copying = (typeof copying)[number];

/** Connections to an installation's databases that bypass its policies. */
export type Databases = Record<'device' | Copying, pg.Client>;

export async function openDatabases(instance: Instance): Promise<Databases> {
  const open = async (service: string): Promise<[string, pg.Client]> => {
    const client = new pg.Client({ ...instance.postgres(), database: `carillon_${service}` });
    // The installation may end before its clients.
    client.on('error', () => undefined);
    await client.connect();
    return [service, client];
  };
  return Object.fromEntries(await Promise.all(['device', ...copying].map(open))) as Databases;
}

export async function closeDatabases(databases: Databases): Promise<void> {
  await Promise.all(Object.values(databases).map((client) => client.end()));
}

/** Returns the owner of an installation's first data. */
export const ownerOf = (instance: Instance): { companyId: string; orgId: string } =>
  JSON.parse(readFileSync(join(instance.data, 'secrets.json'), 'utf8')) as { companyId: string; orgId: string };

/** The number of models, which the devices use in equal parts. */
export const models = 10;
export const modelOf = (n: number): string => `Model ${n % models}`;

const common = 'id company_id owner_epoch version era';
const names = (text: string): readonly string[] => text.trim().split(/\s+/);
const columnsOf: Record<'device' | Copying, readonly string[]> = {
  device: names(`
    id company_id org_id mac name model sn firmware internal_ip public_ip lines calls capabilities configured
    config_failed failed_lines online epoch owner_epoch version secret_hash site_id placed server_id last_online_at
    created_at
  `),
  task: names(`
    ${common} org_id mac name model sn firmware internal_ip capabilities configured config_failed failed_lines site_id
  `),
  notification: names(`${common} org_id mac name site_id enabled`),
  provisioning: names('id company_id org_id name mac accounts version era'),
  org: names('id company_id org_id version era'),
  resource: names(`${common} model firmware site_id`),
};

/**
 * Inserts devices into the device service and every copy, as if they had been added long ago; none is online. Analyzes
 * the tables, as in an installation that has run for long.
 */
export async function fillDevices(instance: Instance, databases: Databases, count: number): Promise<void> {
  const { companyId, orgId } = ownerOf(instance);
  const { siteId, serverId } = await devicePlace(instance.call);
  const facts: Record<string, string> = {
    id: `('01a00000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`,
    company_id: `'${companyId}'::uuid`,
    org_id: `'${orgId}'::uuid`,
    mac: `'0c383e' || lpad(to_hex(n), 6, '0')`,
    name: `(array['Reception', 'Meeting room', 'Workshop', 'Warehouse', 'Phone'])[1 + n % 5] || ' ' || n`,
    model: `'Model ' || n % ${models}`,
    sn: `'SN' || lpad(n::text, 8, '0')`,
    firmware: `'2.' || n % 20`,
    internal_ip: `'10.' || n % 32 || '.' || (n / 32) % 256 || '.' || n % 250`,
    public_ip: `'203.0.113.' || n % 250`,
    lines: `'[{"line": 1, "server": "pbx.example", "status": "registered", "account": "6142"}]'`,
    calls: '0',
    capabilities: `'["reboot"]'`,
    configured: 'true',
    config_failed: 'false',
    failed_lines: '0',
    online: 'false',
    epoch: '1',
    owner_epoch: '1',
    version: '1',
    era: '1',
    secret_hash: `'x'`,
    site_id: `'${siteId}'::uuid`,
    placed: 'true',
    server_id: `'${serverId}'::uuid`,
    last_online_at: `now() - make_interval(secs => n)`,
    created_at: `now() - make_interval(secs => n)`,
    enabled: 'true',
    accounts: `'[]'`,
  };
  const { device } = databases;
  const {
    rows: [index],
  } = await device.query<{ definition: string }>(
    `select pg_get_indexdef('device_search_text'::regclass) as definition`,
  );
  // In bulk: search texts and their index come after the rows, with the same result as one by one.
  await device.query('alter table device disable trigger user; drop index device_search_text');
  for (const [service, client] of Object.entries(databases)) {
    const filled = columnsOf[service as Copying];
    await client.query('set synchronous_commit = off');
    await client.query(`
      insert into ${service === 'device' ? 'device' : 'device_copy'} (${filled.join(', ')})
      select ${filled.map((name) => facts[name]).join(', ')}
      from generate_series(1, ${count}) n
    `);
    await client.query('set synchronous_commit = on');
  }
  await device.query(`
    insert into device_search (device_id, company_id, org_id, name, text)
    select id, company_id, org_id, name, lower(name || E'\\n' || sn || E'\\n' || internal_ip) || E'\\n#' || mac
    from device
  `);
  await device.query(index!.definition);
  await device.query('alter table device enable trigger user');
  await device.query(`
    insert into mac_owner (mac, company_id, proof, epoch, since)
    select mac, company_id, 'typed', 1, created_at from device
  `);
  for (const table of ['device', 'device_search', 'mac_owner']) await device.query(`vacuum analyze ${table}`);
  for (const service of copying) await databases[service].query('vacuum analyze device_copy');
}

const stateSql = (table: string): string =>
  `select count(*)::int as devices, coalesce(sum(version), 0)::text as versions from ${table}`;
interface State {
  devices: number;
  versions: string;
}

/** Returns the time at which every copy has the current version of all devices. */
export async function everywhere(databases: Databases): Promise<number> {
  const state = async (client: pg.Client, table: string): Promise<string> =>
    JSON.stringify((await client.query<State>(stateSql(table))).rows[0]);
  const wanted = await state(databases.device, 'device');
  return Math.max(
    ...(await Promise.all(
      copying.map((service) => until(async () => (await state(databases[service], 'device_copy')) === wanted)),
    )),
  );
}

/**
 * Creates the floor's tables in the product's own PostgreSQL: the same rows and indexes without policies, triggers or
 * events.
 */
export async function bareTables(client: pg.Client, ...tables: string[]): Promise<void> {
  await client.query('create schema if not exists floor');
  for (const table of tables) {
    const { rows: columns } = await client.query<{ name: string }>(
      `
        select quote_ident(column_name) as name
        from information_schema.columns
        where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'
      `,
      [table],
    );
    const { rows: options } = await client.query<{ option: string }>(
      'select unnest(reloptions) as option from pg_class where oid = $1::regclass',
      [`public.${table}`],
    );
    const all = columns.map((column) => column.name).join(', ');
    await client.query(`drop table if exists floor.${table}`);
    await client.query(`create table floor.${table} (like public.${table} including all)`);
    for (const { option } of options) await client.query(`alter table floor.${table} set (${option})`);
    await client.query(`insert into floor.${table} (${all}) select ${all} from public.${table}`);
    await client.query(`vacuum analyze floor.${table}`);
  }
}

/** Waits until the device service knows a site or a SIP server. */
export async function heardOf(call: Client, id: string): Promise<void> {
  await until(async () =>
    [...(await call(listSiteNames)), ...(await call(listServerNames))].some((row) => row.id === id),
  );
}

/** Returns the seconds that some work took. */
export async function seconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

export interface Watched {
  total: number;
  at: number;
}
/** Reads a list's total repeatedly, like a user with the list open, until it is stopped. */
export function watchTotal(ask: () => Promise<number>): { last(): number | undefined; stop(): Promise<Watched[]> } {
  const seen: Watched[] = [];
  let over = false;
  const work = (async () => {
    while (!over) {
      seen.push({ total: await ask(), at: performance.now() });
      await pause(50);
    }
  })();
  return {
    last: () => seen.at(-1)?.total,
    async stop() {
      over = true;
      await work;
      return seen;
    },
  };
}

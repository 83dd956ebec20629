import { suppliedModels } from '@carillon/contracts/models';
import { redirectKinds } from '@carillon/contracts/redirect';
import { afterCommit, currentDatabase, currentSql, type Database, holdLock } from '@carillon/persistence';
import { vendors } from '../vendor/vendor-of.ts';

const makerNames = new Set<string>(Object.values(redirectKinds).map(({ maker }) => maker));
/** The makers with a redirect service: their models, and the beginnings of their MACs. */
const makers = JSON.stringify(
  vendors
    .filter(({ name }) => makerNames.has(name))
    .map(({ name, series, prefixes }) => ({
      maker: name,
      models: suppliedModels.filter((model) => series.includes(model.series)).map((model) => model.name),
      prefixes,
    })),
);
const knownModels = suppliedModels.map(({ name }) => name);

/** SQL: devices with the service of their maker. `$1` are all makers, `$2` all supplied models, as in `vendorOf`. */
const servedSql = `
  select s.id as service_id, s.company_id, d.id as device_id, d.org_id, d.name, d.mac
  from device_copy d
  join jsonb_to_recordset($1::jsonb) as m(maker text, models jsonb, prefixes jsonb)
    on case
      when d.model = any($2::text[]) then jsonb_exists(m.models, d.model)
      else jsonb_exists(m.prefixes, left(d.mac, 6))
    end
  join redirect_service s on s.maker = m.maker
`;
const upsertSql = (which: string): string => `
  insert into redirect_device as r (
    id, company_id, org_id, service_id, device_id, device_name, mac, wanted, state, failure_values, tries, revision,
    next_at
  )
  select gen_random_uuid(), w.company_id, w.org_id, w.service_id, w.device_id, w.name, w.mac, true, 'waiting', '{}', 0,
    1, now()
  from (${servedSql} ${which}) w
  order by w.service_id, w.mac
  on conflict (service_id, mac) do update set
    org_id = excluded.org_id, device_id = excluded.device_id, device_name = excluded.device_name, wanted = true,
    state = case when r.wanted then r.state else 'waiting' end,
    revision = case when r.wanted then r.revision else r.revision + 1 end,
    tries = case when r.wanted then r.tries else 0 end,
    next_at = case when r.wanted then r.next_at else now() end
`;

/** What tells redirect services, so that a commit can wake it. */
const loops = new WeakMap<Database, { wake(): void }>();
export const wakeRedirectsOf = (database: Database, loop: { wake(): void }): void => void loops.set(database, loop);

export function wakeRedirects(): void {
  const database = currentDatabase();
  afterCommit(() => loops.get(database)?.wake());
}

/**
 * Locks the services of a company: shared by changes of devices, alone by a new service. Otherwise a device that is
 * added while a service is added would be missed by both.
 */
export const holdRedirects = (companyId: string, how: 'shared' | 'alone') => holdLock(`redirect ${companyId}`, how);

/** Has these devices, which are new, changed or deleted, registered at the services of their makers, or taken off. */
export async function followRedirects(companyId: string, deviceIds: readonly string[]): Promise<void> {
  if (deviceIds.length === 0) return;
  await holdRedirects(companyId, 'shared');
  const { rowCount } = await currentSql().query('select 1 from redirect_service limit 1');
  if (rowCount === 0) return;
  await currentSql().query(
    `
      update redirect_device r
      set wanted = false, state = 'waiting', tries = 0, revision = r.revision + 1, next_at = now()
      where r.device_id = any($3::uuid[]) and r.wanted
        and not exists (
          select 1
          from (${servedSql} where d.id = any($3::uuid[])) w
          where w.service_id = r.service_id and w.mac = r.mac
        )
    `,
    [makers, knownModels, deviceIds],
  );
  await currentSql().query(upsertSql('where d.id = any($3::uuid[])'), [makers, knownModels, deviceIds]);
  wakeRedirects();
}

/** Has all devices of a new service registered. The caller holds the lock alone. */
export async function registerAll(serviceId: string): Promise<void> {
  await currentSql().query(upsertSql('where s.id = $3'), [makers, knownModels, serviceId]);
  wakeRedirects();
}

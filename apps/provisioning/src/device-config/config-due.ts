import { afterCommit, columns, currentDatabase, currentSql, uuidv7, type Database } from '@carillon/persistence';
import { modelNamesSql } from '../device-model/series.ts';
import { ConfigChange, type Concern } from './device-config.entity.ts';

/** SQL: whether targets, an array of texts, concern the device `d`. A site includes those below it. */
export const concernSql: Readonly<Record<Concern, (targets: string) => string>> = {
  general: () => 'true',
  organization: (targets) => `d.org_id = any(${targets}::uuid[])`,
  site: (targets) => `
    d.site_id = any(array(
      with recursive below (id, steps) as (
        select unnest(${targets}::uuid[]), 0
        union all
        select s.id, b.steps + 1 from below b join site_copy s on s.parent_id = b.id where b.steps < 100
      )
      select id from below
    ))
  `,
  series: (targets) => `
    lower(d.model) in (select r.lowered from ${modelNamesSql} r where r.series = any(${targets}))
  `,
  model: (targets) => `d.model = any(${targets})`,
  modelName: (targets) => `lower(d.model) in (select lower(n) from unnest(${targets}) n)`,
  group: (targets) => `d.group_ids && ${targets}::uuid[]`,
  device: (targets) => `d.id = any(${targets}::uuid[])`,
  account: (targets) => `d.id in (select l.device_id from account_line l where l.account_id = any(${targets}::uuid[]))`,
  server: (targets) => `
    d.id in (
      select l.device_id
      from account_line l
      join sip_account a on a.id = l.account_id
      where a.server_id = any(${targets}::uuid[])
    )
  `,
};

/** What makes the due configurations of a database, so that a commit can wake it. */
const loops = new WeakMap<Database, { wake(): void }>();
export const wakeFor = (database: Database, loop: { wake(): void }): void => void loops.set(database, loop);

function wakeAfterCommit(): void {
  const database = currentDatabase();
  afterCommit(() => loops.get(database)?.wake());
}

/**
 * Has the configurations of all devices that a change concerns made again. Which these are is found out after the
 * commit: a device that another transaction adds meanwhile would otherwise be missed by both.
 */
export async function configureConcerned(
  companyId: string,
  concern: Concern,
  targets: readonly string[],
): Promise<void> {
  await currentSql().query('insert into config_change (id, company_id, concern, targets) values ($1, $2, $3, $4)', [
    uuidv7(),
    companyId,
    concern,
    targets,
  ]);
  wakeAfterCommit();
}

/** Does so for changed rows, whose ids are the targets, of any companies. */
export async function configureChanged(
  concern: Concern,
  rows: readonly { id: string; companyId: string }[],
): Promise<void> {
  for (const [companyId, ofCompany] of Map.groupBy(rows, (row) => row.companyId))
    await configureConcerned(
      companyId,
      concern,
      ofCompany.map(({ id }) => id),
    );
}

/**
 * Has the configurations of these devices made again, or forgotten when they are deleted. An existing row is written
 * too, so that the loop waits for this commit.
 */
export async function configureDevices(companyId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await currentSql().query(
    `
      insert into config_due as u (id, company_id, since)
      select i.id, $2, now()
      from (select distinct unnest($1::uuid[]) as id) i
      order by i.id
      on conflict (id) do update set since = excluded.since
    `,
    [ids, companyId],
  );
  wakeAfterCommit();
}

const change = columns(ConfigChange, 'g', ['concern', 'targets']);
const mostChanges = 100;

/** Marks the devices of committed changes of the running company as due. */
export async function spreadChanges(): Promise<void> {
  const changes = await currentSql().rows(
    change,
    `
      delete from config_change g
      where g.id in (select o.id from config_change o order by o.id limit ${mostChanges} for update skip locked)
      returning ${change}
    `,
  );
  for (const [concern, ofConcern] of Map.groupBy(changes, (c) => c.concern))
    await currentSql().query(
      `
        insert into config_due as u (id, company_id, since)
        select d.id, d.company_id, now()
        from device_copy d
        where ${concernSql[concern]('$1::text[]')} and $1::text[] is not null
        order by d.id
        on conflict (id) do update set since = excluded.since
      `,
      [[...new Set(ofConcern.flatMap(({ targets }) => targets))]],
    );
}

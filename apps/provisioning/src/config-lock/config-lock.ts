import {
  columns,
  currentDatabase,
  currentSql,
  holdLock,
  platform,
  preparedSql,
  type RowOf,
} from '@carillon/persistence';
import { emitLive } from '@carillon/service';
import { configureConcerned } from '../device-config/config-due.ts';
import type { Layer } from '../device-config/effective.ts';
import { ConfigLock } from './config-lock.entity.ts';

const lock = columns(ConfigLock, 'l', ['id', 'key', 'value', 'company']);
const changed = columns(ConfigLock, 'l', ['companyId']);

/** Returns the settings that companies above the running one lock. */
export const locksFromAbove = (): Promise<RowOf<typeof lock>[]> =>
  preparedSql().rows(lock, `select ${lock} from config_lock l order by l.key`);

/** Returns each of these locks as a template that decides one setting. */
export const lockLayers = (locks: readonly RowOf<typeof lock>[]): Layer[] =>
  locks.map(({ id, key, value, company }) => ({
    id,
    name: company,
    level: 'general',
    target: null,
    version: 0,
    values: { [key]: value },
    locked: [key],
    company,
  }));

/** SQL: the companies below the company `$1`, and itself. */
const belowSql = `(select c.id, c.path from company_copy c where strpos(c.path, '/' || $1::text || '/') > 0)`;
/** SQL: the locks of these companies; of two companies above that lock one setting, the highest decides. */
const wantedSql = `
  (
    select distinct on (b.id, k.key) b.id as company_id, k.key, t."values" -> k.key as value, a.name as company
    from ${belowSql} b
    cross join lateral unnest(string_to_array(trim(both '/' from b.path), '/')) with ordinality as above(id, depth)
    join company_copy a on a.id = above.id::uuid and a.id <> b.id
    join config_template t on t.company_id = a.id and t.level = 'general'
    cross join lateral unnest(t.locked) as k(key)
    where t."values" ? k.key
    order by b.id, k.key, above.depth
  )
`;

/**
 * Copies the locks of a company and of those above it to the companies below it, and has the configurations made again
 * where they changed. A change of a lock and a change of the tree do not see each other before they are committed: each
 * waits here for the other.
 */
export async function spreadLocks(companyId: string): Promise<void> {
  await platform(currentDatabase(), 'a company locks settings for the companies below it', async () => {
    await holdLock('config locks');
    const rows = await currentSql().rows(
      changed,
      `
        with wanted as materialized ${wantedSql},
        ended as (
          delete from config_lock x
          where x.company_id in (select b.id from ${belowSql} b)
            and (x.company_id, x.key) not in (select w.company_id, w.key from wanted w)
          returning x.company_id
        ),
        stored as (
          insert into config_lock as x (id, company_id, key, value, company)
          select uuidv7(), w.company_id, w.key, w.value, w.company
          from wanted w
          on conflict (company_id, key) do update set value = excluded.value, company = excluded.company
          where (x.value, x.company) is distinct from (excluded.value, excluded.company)
          returning x.company_id
        ),
        l as (select company_id from ended union select company_id from stored)
        select ${changed} from l
      `,
      [companyId],
    );
    for (const { companyId: below } of rows) {
      await configureConcerned(below, 'general', []);
      await emitLive(below, 'configTemplate', [below], null);
    }
  });
}

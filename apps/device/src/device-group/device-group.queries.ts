import { deviceFilterSql } from '@carillon/contracts/device-filter';
import type { listDeviceGroups, RouteInput, RouteReturn } from '@carillon/contracts';
import { alphabetic, columnNames, columns, computed, currentSql, filterBy, type RowOf } from '@carillon/persistence';
import { readPage } from '@carillon/service';
import { DeviceGroup } from './device-group.entity.ts';
import { publishGroups, publishGroupsGone } from './device-group.publisher.ts';

export type DeviceGroupRecord = RouteReturn<typeof listDeviceGroups>['records'][number];

/** SQL expression: the groups of a device `d` that the user sees, in the form of a page. */
export const groupsSql = `
  (
    select coalesce(jsonb_agg(
      jsonb_build_object('id', g.id, 'name', g.name, 'byRule', g.rule is not null) order by ${alphabetic('g.name')}
    ), '[]')
    from device_group g
    where g.id = any (d.group_ids)
  )
`;

const organization = computed<DeviceGroupRecord['organization']>(
  `(select jsonb_build_object('id', o.id, 'name', o.name) from organization_copy o where o.id = g.org_id)`,
);
const record = columns(DeviceGroup, 'g', ['id', 'name', 'description', 'rule', 'updatedAt'], {
  applying: computed<boolean>('exists (select 1 from device_group_pass a where a.id = g.id)'),
  organization,
  devices: computed<number>('coalesce(m.devices, 0)'),
});
/** All groups with their device counts, in a single pass over the devices. */
const counted = `
  device_group g
  left join (
    select m.id, count(*)::int as devices
    from device d
    cross join unnest(d.group_ids) m(id)
    where d.group_ids <> '{}'
    group by m.id
  ) m on m.id = g.id
`;
const name = columns(DeviceGroup, 'g', ['id', 'name'], {
  organization,
  byRule: computed<boolean>('g.rule is not null'),
});
const ruled = columns(DeviceGroup, 'g', ['id', 'orgId', 'rule']);
const column = columnNames(DeviceGroup, 'g');
const byName = `${alphabetic(column.name)}, ${column.id}`;
/** Columns of the result, which are named like their properties. */
const sorts = {
  name: alphabetic(column.name),
  description: alphabetic(column.description),
  organization: alphabetic('(select o.name from organization_copy o where o.id = g.org_id)'),
  devices: 'devices',
  updatedAt: column.updatedAt,
};
const filterColumns = {
  name: filterBy.text(column.name),
  description: filterBy.text(column.description),
  devices: filterBy.number('coalesce(m.devices, 0)'),
  byRule: filterBy.flag('(g.rule is not null)'),
  updatedAt: filterBy.moment(column.updatedAt),
};

export async function pageOfGroups(
  query: RouteInput<typeof listDeviceGroups>['query'],
): Promise<RouteReturn<typeof listDeviceGroups>> {
  return readPage({
    query,
    record,
    from: counted,
    searched: [column.name, column.description],
    filters: filterColumns,
    sorts,
    order: byName,
  });
}

export async function groupById(id: string): Promise<DeviceGroupRecord | undefined> {
  return (await currentSql().rows(record, `select ${record} from ${counted} where g.id = $1`, [id]))[0];
}

export function listGroupNames(): Promise<RowOf<typeof name>[]> {
  return currentSql().rows(name, `select ${name} from device_group g order by ${byName}`);
}

/**
 * Returns the company's groups with rules, share-locked until the commit. A change of a rule waits until devices that
 * were tested against the former rule are committed, so that the pass after it finds all of them.
 */
export function lockRules(): Promise<RowOf<typeof ruled>[]> {
  return currentSql().rows(
    ruled,
    `select ${ruled} from device_group g where g.rule is not null order by g.id for share`,
  );
}

/**
 * SQL expression: the groups that a device `d` must be in, which are those added by hand and those whose rules it
 * meets.
 */
export function ruledGroupsSql(rules: readonly RowOf<typeof ruled>[], add: (value: unknown) => string): string {
  const met = rules.map(
    ({ id, orgId, rule }) =>
      `case when d.org_id = ${add(orgId)}::uuid and ${deviceFilterSql(rule!, add)} then ${add(id)}::uuid end`,
  );
  return `
    array(select g from unnest(d.group_ids) g where g <> all(${add(rules.map((r) => r.id))}::uuid[]))
    || array_remove(array[${met.join(', ')}], null)
  `;
}

const left = columns(DeviceGroup, 'g', ['id', 'companyId', 'version'], { isGone: computed<boolean>('g.is_gone') });

/**
 * Moves the groups of an organization that is merged into another one, along with their devices. Of two with the same
 * name the other organization's remains. Returns the ids of the groups that were moved or deleted.
 */
export async function moveGroups(fromId: string, toId: string): Promise<string[]> {
  const rows = await currentSql().rows(
    left,
    `
      with same as (
        select f.id as old, t.id as kept
        from device_group f
        join device_group t on t.org_id = $2 and lower(t.name) = lower(f.name)
        where f.org_id = $1
      ),
      joined as (
        update device d
        set group_ids = array(
          select distinct coalesce(s.kept, g.id)
          from unnest(d.group_ids) g(id)
          left join same s on s.old = g.id
        )
        where d.org_id = $1 and d.group_ids && array(select old from same)
      ),
      gone as (delete from device_group g using same s where g.id = s.old returning g.*),
      moved as (
        update device_group g
        set org_id = $2, updated_at = now()
        where g.org_id = $1 and not exists (select 1 from same s where s.old = g.id)
        returning g.*
      )
      select ${left}
      from (select g.*, true as is_gone from gone g union all select g.*, false from moved g) g
    `,
    [fromId, toId],
  );
  await publishGroupsGone(rows.filter((r) => r.isGone));
  await publishGroups(rows.flatMap((r) => (r.isGone ? [] : [r.id])));
  // Their rules apply to the devices of the new organization.
  await currentSql().query(
    `
      insert into device_group_pass (id, company_id, org_id, lease_until)
      select g.id, g.company_id, g.org_id, now()
      from device_group g
      where g.org_id = $1 and g.rule is not null and g.id = any($2::uuid[])
      on conflict (id) do update set org_id = excluded.org_id, after = null, lease_until = now()
    `,
    [toId, rows.map((r) => r.id)],
  );
  return rows.map((r) => r.id);
}

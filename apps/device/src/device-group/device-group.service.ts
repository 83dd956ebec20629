import { isDeepStrictEqual } from 'node:util';
import { LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import {
  maxRulePatterns,
  maxRules,
  type addDeviceGroup,
  type ListedTarget,
  type editDeviceGroup,
  type RouteInput,
} from '@carillon/contracts';
import {
  columns,
  computed,
  currentDatabase,
  currentEntities,
  currentSql,
  holdLock,
  platform,
  uuidv7,
} from '@carillon/persistence';
import { auditNote, emitLive, fail, found, keepDeleted, takeBack, unlessTaken, noteRestored } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { chosenIds, lockDevices } from '../device/device-list.queries.ts';
import { Device } from '../device/device.entity.ts';
import { deviceView, publishDevices } from '../device/device.publisher.ts';
import { organizationFor, seesOrganization } from '../organization/organization.queries.ts';
import { DeviceGroup } from './device-group.entity.ts';
import { groupById, type DeviceGroupRecord } from './device-group.queries.ts';
import { publishGroups, publishGroupsGone } from './device-group.publisher.ts';
import { GroupPass } from './group-pass.ts';

const deleted = columns(DeviceGroup, 'g', [], { row: computed<object>('to_jsonb(g)') });
const count = columns(Device, 'd', [], { n: computed<number>('count(*)::int') });
const orNameTaken = <T>(work: Promise<T>) => unlessTaken(work, 'device_group_name', 'name', 'deviceGroup.nameTaken');

type Rule = NonNullable<DeviceGroupRecord['rule']>;
/** SQL: how many texts the rule of a group `g` searches for. */
const patternsSql = `(
  select coalesce(sum(case jsonb_typeof(e.value) when 'array' then jsonb_array_length(e.value) else 1 end), 0)::int
  from jsonb_each(g.rule) e
  where e.key like '%.contains'
)`;
const others = 'filter (where g.id is distinct from $1)';
const ruled = columns(DeviceGroup, 'g', ['companyId'], {
  rules: computed<number>(`(count(*) ${others})::int`),
  patterns: computed<number>(`coalesce(sum(${patternsSql}) ${others}, 0)::int`),
  patternsNow: computed<number>(`sum(${patternsSql})::int`),
});
const patternsOf = (rule: Rule): number =>
  Object.entries(rule).reduce(
    (n, [parameter, texts]) => n + (parameter.endsWith('.contains') ? [texts].flat().length : 0),
    0,
  );

/**
 * Fails when the company would have too many rules or texts in them, including those that the user does not see: each
 * changed device is tested against every rule. Serializes concurrent calls, so that the second counts the first. `but`
 * is the group whose rule is replaced: a company with more texts than allowed, from before the limit, can reduce them.
 */
async function refuseMoreRules(added: readonly Rule[], but: string | null = null): Promise<void> {
  const { companyId } = context();
  await holdLock(`group rules ${companyId}`);
  const counts = await platform(currentDatabase(), 'how many rules a company has', () =>
    currentSql().rows(
      ruled,
      `
        select ${ruled}
        from device_group g
        where g.rule is not null
        group by g.company_id
      `,
      [but],
    ),
  );
  const own = counts.find((count) => count.companyId === companyId);
  if ((own?.rules ?? 0) + added.length > maxRules) fail('deviceGroup.tooManyRules', { count: maxRules });
  const patterns = added.reduce((n, rule) => n + patternsOf(rule), own?.patterns ?? 0);
  if (patterns > Math.max(maxRulePatterns, own?.patternsNow ?? 0))
    fail('deviceGroup.tooManyPatterns', { count: patterns, most: maxRulePatterns });
}

/** SQL for a change of members: the new groups of a device, with the group as `$1`, and the devices that change. */
const changes = {
  add: { set: 'array_append(d.group_ids, $1::uuid)', where: 'not $1::uuid = any (d.group_ids)' },
  remove: { set: 'array_remove(d.group_ids, $1::uuid)', where: '$1::uuid = any (d.group_ids)' },
} as const;

/** Manages groups of devices (DEV-12). Policies limit a user to the groups of their organizations. */
@Injectable()
export class DeviceGroupService {
  constructor(private readonly passes: GroupPass) {}

  async get(id: string): Promise<DeviceGroupRecord> {
    return found(await groupById(id));
  }

  async add({
    name,
    description,
    rule = null,
    orgId: named,
  }: RouteInput<typeof addDeviceGroup>['body']): Promise<DeviceGroupRecord> {
    const { companyId } = context();
    const orgId = await organizationFor(named);
    const id = uuidv7();
    if (rule !== null) await refuseMoreRules([rule]);
    currentEntities().create(DeviceGroup, { id, companyId, orgId, name, description, rule });
    await orNameTaken(currentEntities().flush());
    await publishGroups([id]);
    if (rule !== null) await this.passes.begin({ id, companyId, orgId });
    auditNote({
      objectId: id,
      objectName: name,
      orgIds: [orgId],
      detail: { before: null, after: { name, description, rule } },
    });
    await emitLive(companyId, 'deviceGroup', [id], [orgId]);
    return this.get(id);
  }

  async edit({
    id,
    name,
    description,
    rule = null,
  }: RouteInput<typeof editDeviceGroup>['body']): Promise<DeviceGroupRecord> {
    // First, because it forgets the entities that are loaded.
    if (rule !== null) await refuseMoreRules([rule], id);
    // The lock waits for transactions that test devices against the former rule; later ones use the new rule.
    const group = found(await currentEntities().findOne(DeviceGroup, id, { lockMode: LockMode.PESSIMISTIC_WRITE }));
    const before = { name: group.name, description: group.description, rule: group.rule };
    const sameRule = isDeepStrictEqual(rule, group.rule);
    currentEntities().assign(group, { name, description, rule });
    await orNameTaken(currentEntities().flush());
    if (name !== before.name) await publishGroups([id]);
    if (!sameRule) await (rule === null ? this.passes.end(id) : this.passes.begin(group));
    auditNote({
      objectId: id,
      objectName: name,
      orgIds: [group.orgId],
      detail: { before, after: { name, description, rule } },
    });
    await emitLive(group.companyId, 'deviceGroup', [id], [group.orgId]);
    return this.get(id);
  }

  async delete(id: string): Promise<null> {
    // Locked, so that no device is added in the meantime.
    const group = found(await currentEntities().findOne(DeviceGroup, id, { lockMode: LockMode.PESSIMISTIC_WRITE }));
    const { name, description, rule, companyId, orgId } = group;
    auditNote({
      objectId: id,
      objectName: name,
      orgIds: [orgId],
      detail: { before: { name, description, rule }, after: null },
    });
    const { devices } = await this.get(id);
    if (devices > 0) fail('deviceGroup.notEmpty', { count: devices });
    const [row] = await currentSql().rows(deleted, `delete from device_group g where g.id = $1 returning ${deleted}`, [
      id,
    ]);
    await this.passes.end(id);
    await keepDeleted('deviceGroup', id, row!.row);
    await publishGroupsGone([group]);
    await emitLive(companyId, 'deviceGroup', [id], [orgId]);
    return null;
  }

  async restore(ids: readonly string[]): Promise<{ restored: number }> {
    const kept = await takeBack<{ id: string; name: string; org_id: string; rule?: Rule | null }>(
      'deviceGroup',
      'device_group',
      ids,
    );
    if (kept.length === 0) return { restored: 0 };
    const rules = kept.flatMap((group) => group.rule ?? []);
    if (rules.length > 0) await refuseMoreRules(rules);
    // The organization was deleted since, or the user has selected another one.
    for (const group of kept) if (!(await seesOrganization(group.org_id))) fail('common.restoreOver');
    const orgIds = kept.map((g) => g.org_id);
    noteRestored(kept, { orgIds });
    await orNameTaken(
      currentSql().query(
        `
          insert into device_group (id, company_id, org_id, name, description, rule, version, updated_at)
          select r.id, r.company_id, r.org_id, r.name, r.description, r.rule, coalesce(r.version, 0) + 1, now()
          from jsonb_populate_recordset(null::device_group, $1::jsonb) r
        `,
        [JSON.stringify(kept)],
      ),
    );
    await publishGroups(kept.map((g) => g.id));
    const { companyId } = context();
    // Devices that changed in the meantime were not tested against it.
    for (const { id, org_id: orgId, rule } of kept) if (rule) await this.passes.begin({ id, companyId, orgId });
    await emitLive(
      companyId,
      'deviceGroup',
      kept.map((g) => g.id),
      orgIds,
    );
    return { restored: kept.length };
  }

  /** Adds any number of devices to a group or removes them. Returns how many it changed. */
  async changeMembers(id: string, change: keyof typeof changes, target: ListedTarget): Promise<number> {
    const lockMode = LockMode.PESSIMISTIC_READ;
    const group = found(await currentEntities().findOne(DeviceGroup, id, { lockMode }));
    if (group.rule !== null) fail('deviceGroup.byRule');
    const chosen = await chosenIds(target);
    if (change === 'add') await this.refuseOthers(group, chosen);
    const { set, where } = changes[change];
    await lockDevices(chosen);
    const changed = await currentSql().rows(
      deviceView,
      `
        update device d
        set group_ids = ${set}, version = d.version + 1
        where d.id = any ($2::uuid[]) and ${where}
        returning ${deviceView}
      `,
      [id, chosen],
    );
    if (changed.length === 0 && 'ids' in target)
      found((await currentSql().query('select 1 from device where id = any($1::uuid[]) limit 1', [chosen])).rows[0]);
    await publishDevices(changed);
    auditNote({
      objectId: id,
      objectName: group.name,
      orgIds: [group.orgId],
      detail: {
        count: changed.length,
        devices: changed.slice(0, 100).map((d) => ({ id: d.id, mac: d.mac, name: d.name })),
      },
    });
    if (changed.length > 0) {
      const changedIds = changed.map((d) => d.id);
      await emitLive(group.companyId, 'device', changedIds, [group.orgId]);
      await emitLive(group.companyId, 'deviceGroup', [id], [group.orgId]);
    }
    return changed.length;
  }

  /**
   * Fails when a device belongs to another organization than the group, because everyone who sees the group must see
   * all its devices.
   */
  private async refuseOthers({ id, orgId }: DeviceGroup, deviceIds: readonly string[]): Promise<void> {
    const [others] = await currentSql().rows(
      count,
      `select ${count} from device d where d.id = any ($1::uuid[]) and d.org_id <> $2`,
      [deviceIds, orgId],
    );
    if (others!.n === 0) return;
    const { organization } = await this.get(id);
    fail('deviceGroup.otherOrganization', { count: others!.n, organization: organization?.name ?? '' });
  }
}

import { Injectable } from '@nestjs/common';
import {
  toPage,
  type addDeviceChange,
  type ListedTarget,
  type listDeviceChangeRows,
  type RouteInput,
  type RouteReturn,
} from '@carillon/contracts';
import { errorText } from '@carillon/contracts/errors';
import { alphabetic, afterCommit, columns, computed, currentSql, parameters, uuidv7 } from '@carillon/persistence';
import { auditNote, emitLive, fail, found } from '@carillon/service';
import { can, context } from '@carillon/tenancy';
import { chosenIds } from '../device/device-list.queries.ts';
import { settleFacts, siteById } from '../device/device-facts.ts';
import { serverById } from '../line/line.queries.ts';
import { organizationFor } from '../organization/organization.queries.ts';
import { OrganizationCopy } from '../projections/organization.projection.ts';
import { DeviceChange, DeviceChangeRow, type ChangeAccess, type ChangeSet } from './device-change.entity.ts';
import { changeRecord, changeRow } from './device-change.queries.ts';
import { DeviceChangeRunner } from './device-change.runner.ts';

type ChangeRecord = RouteReturn<typeof addDeviceChange>;

const organization = columns(OrganizationCopy, 'o', ['name']);
const count = columns(DeviceChangeRow, 'r', [], { n: computed<number>('count(*)::int') });
const own = columns(DeviceChange, 'c', ['id', 'kind', 'status', 'names']);

/** Checks and resolves the new values, together with their names. */
async function settle({ orgId, siteId, ...set }: RouteInput<typeof addDeviceChange>['body']['set']) {
  const settled: ChangeSet = {
    ...(await settleFacts({ ...set, ...(siteId === null || siteId === undefined ? {} : { siteId }) })),
    ...(siteId === null ? { siteId } : {}),
    ...(orgId === undefined ? {} : { orgId: await organizationFor(orgId) }),
  };
  const names: ChangeRecord['set'] = {
    ...(settled.model === undefined ? {} : { model: settled.model }),
    ...(settled.siteId === undefined
      ? {}
      : { site: settled.siteId === null ? null : ((await siteById(settled.siteId))?.name ?? null) }),
    ...(settled.serverId === undefined ? {} : { server: (await serverById(settled.serverId))?.name ?? '' }),
    ...(settled.orgId === undefined ? {} : { organization: await organizationName(settled.orgId) }),
  };
  return { settled, names };
}

async function organizationName(id: string): Promise<string> {
  const sql = `select ${organization} from organization_copy o where o.id = $1`;
  return (await currentSql().rows(organization, sql, [id]))[0]?.name ?? '';
}

/** Accepts changes of many devices, which run in the background (DEV-05). */
@Injectable()
export class DeviceChangeService {
  constructor(private readonly runner: DeviceChangeRunner) {}

  async edit(target: ListedTarget, wanted: RouteInput<typeof addDeviceChange>['body']['set']): Promise<ChangeRecord> {
    const { settled, names } = await settle(wanted);
    return this.order('edit', target, settled, names);
  }

  delete(target: ListedTarget): Promise<ChangeRecord> {
    return this.order('delete', target, {}, {});
  }

  private async order(
    kind: ChangeRecord['kind'],
    target: ListedTarget,
    set: ChangeSet,
    names: ChangeRecord['set'],
  ): Promise<ChangeRecord> {
    const { companyId, userId, username, orgIds, orgId, language, allOrgs } = context();
    const access: ChangeAccess = { userId, username, orgIds, orgId, language, ...(allOrgs ? { allOrgs } : {}) };
    const chosen = await chosenIds(target);
    const id = uuidv7();
    await currentSql().query(
      `
        insert into device_change (
          id, company_id, user_id, access, kind, set, names, status, total, done, unchanged, failed, lease_until,
          created_at
        )
        values ($1, $2, $3, $4, $5, $6, $7, 'process', 0, 0, 0, 0, now(), now())
      `,
      [id, companyId, userId, JSON.stringify(access), kind, JSON.stringify(set), JSON.stringify(names)],
    );
    const { rowCount: total } = await currentSql().query(
      `
        insert into device_change_row (id, company_id, change_id, device_id, name, mac, state)
        select gen_random_uuid(), $2, $1, d.id, d.name, d.mac, 'waiting'
        from device d
        where d.id = any ($3::uuid[])
      `,
      [id, companyId, chosen],
    );
    // None of the given ids is a device that the caller sees.
    if (total === 0 && 'ids' in target) fail('common.notFound');
    await currentSql().query('update device_change set total = $2 where id = $1', [id, total]);
    auditNote({ detail: { ...(kind === 'edit' ? { set: names } : {}), count: total } });
    afterCommit(() => this.runner.wake());
    return this.record(id);
  }

  list(): Promise<ChangeRecord[]> {
    return currentSql().rows(
      changeRecord,
      `
        select ${changeRecord}
        from device_change c
        where c.user_id = $1 and c.created_at > now() - interval '1 day'
        order by c.created_at desc, c.id
        limit 20
      `,
      [context().userId],
    ) as Promise<ChangeRecord[]>;
  }

  async rows(
    id: string,
    query: RouteInput<typeof listDeviceChangeRows>['query'],
  ): Promise<RouteReturn<typeof listDeviceChangeRows>> {
    await this.own(id, '');
    const { page, limit } = toPage(query);
    const { add, values } = parameters();
    const where = [`r.change_id = ${add(id)}`, ...(query.state ? [`r.state = ${add(query.state)}`] : [])].join(' and ');
    const [all] = await currentSql().rows(count, `select ${count} from device_change_row r where ${where}`, values);
    const records = await currentSql().rows(
      changeRow,
      `
        select ${changeRow}
        from device_change_row r
        where ${where}
        order by ${alphabetic('r.name')}, r.device_id
        limit ${add(limit)} offset ${add((page - 1) * limit)}
      `,
      values,
    );
    const { language } = context();
    return {
      records: records.map(({ error, ...row }) => ({
        ...row,
        msg: error === null ? null : errorText(error, language, {}),
      })),
      total: all!.n,
      current: page,
      size: limit,
    };
  }

  async retry(id: string): Promise<ChangeRecord> {
    const { kind, status } = await this.own(id);
    const right = kind === 'edit' ? 'editDevice' : 'deleteDevice';
    if (!can(right)) fail('common.forbidden', { permission: right });
    if (status === 'process') fail('device.changeRuns');
    const { rowCount: again } = await currentSql().query(
      `update device_change_row set state = 'waiting', error = null where change_id = $1 and state = 'failed'`,
      [id],
    );
    await currentSql().query(
      `update device_change set status = 'process', failed = 0, lease_until = now() where id = $1`,
      [id],
    );
    auditNote({ detail: { count: again } });
    await emitLive(context().companyId, 'operation', [id], null);
    afterCommit(() => this.runner.wake());
    return this.record(id);
  }

  async end(id: string): Promise<null> {
    const { status } = await this.own(id);
    if (status === 'process') fail('device.changeRuns');
    await currentSql().query('delete from device_change where id = $1', [id]);
    await emitLive(context().companyId, 'operation', [id], null);
    return null;
  }

  /** Returns a change that the caller ordered. */
  private async own(id: string, hold: 'for update' | '' = 'for update') {
    const sql = `select ${own} from device_change c where c.id = $1 and c.user_id = $2 ${hold}`;
    return found((await currentSql().rows(own, sql, [id, context().userId]))[0]);
  }

  private async record(id: string): Promise<ChangeRecord> {
    const sql = `select ${changeRecord} from device_change c where c.id = $1`;
    return found((await currentSql().rows(changeRecord, sql, [id]))[0]) as ChangeRecord;
  }
}

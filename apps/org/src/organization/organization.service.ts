import { Injectable } from '@nestjs/common';
import {
  orgOrganization,
  orgTransfer,
  toPage,
  type addOrganization,
  type editOrganization,
  type listOrganizations,
  type RouteInput,
  type RouteReturn,
} from '@carillon/contracts';
import { emit } from '@carillon/messaging';
import { containsPattern, currentSql, iso, orderBy, parameters, uuidv7 } from '@carillon/persistence';
import { context } from '@carillon/tenancy';
import { auditNote, emitLive, fail, found, keepDeleted, takeBack, unlessTaken } from '@carillon/service';
import { publishState } from '../state.ts';

export type OrganizationRecord = RouteReturn<typeof addOrganization>;
export interface Contents {
  hasDevice: boolean;
  devices: number;
  users: number;
}

/** Who sees all organizations is in none of them but the one that is his default. */
const inIt = `(o.id = any (u.org_ids) or o.id = u.default_org_id)`;
const columns = `
  o.id, o.name, o.description, (select count(*)::int from user_copy u where ${inIt}) as users,
  (select count(*)::int from device_copy d where d.org_id = o.id) as devices, o.updated_at as "updatedAt"
`;
const sortColumns = { name: 'lower(name)', users: 'users', devices: 'devices', updatedAt: '"updatedAt"' };
const toRecord = (row: OrganizationRecord): OrganizationRecord => ({ ...row, updatedAt: iso(row.updatedAt) });

/** Who sees some organizations only would not see the one that he adds. */
async function seeAll(): Promise<void> {
  const { orgIds, allOrgs } = context();
  if (orgIds !== '*' && !allOrgs) fail('org.narrowed');
  await currentSql().query(`select set_config('app.org_ids', '*', true)`);
}

const orNameTaken = <T>(work: Promise<T>) => unlessTaken(work, 'organization_name', 'name', 'org.nameTaken');

/** Organizations of a company (ORG-01). The policies leave a user his own. */
@Injectable()
export class OrganizationService {
  async list(query: RouteInput<typeof listOrganizations>['query']): Promise<RouteReturn<typeof listOrganizations>> {
    const { page, limit } = toPage(query);
    const { add, values } = parameters();
    const like = query.search ? add(containsPattern(query.search)) : undefined;
    const where = like ? `where o.name ilike ${like} or o.description ilike ${like}` : '';
    const total = (
      await currentSql().query<{ n: number }>(`select count(*)::int as n from organization o ${where}`, values)
    ).rows[0]!.n;
    const { rows } = await currentSql().query<OrganizationRecord>(
      `
        select *
        from (select ${columns} from organization o ${where}) o
        order by
          ${orderBy(query.sort, sortColumns, 'lower(name), id')}
        limit ${add(limit)} offset ${add((page - 1) * limit)}
      `,
      values,
    );
    return { records: rows.map(toRecord), total, current: page, size: limit };
  }

  async get(id: string): Promise<OrganizationRecord> {
    return toRecord(
      found(
        (await currentSql().query<OrganizationRecord>(`select ${columns} from organization o where o.id = $1`, [id]))
          .rows[0],
      ),
    );
  }

  async users(
    orgId: string | undefined,
  ): Promise<{ id: string; username: string; nickname: string; allOrgs: boolean; orgIds: string[] }[]> {
    const { rows } = await currentSql().query<{
      id: string;
      username: string;
      nickname: string;
      allOrgs: boolean;
      orgIds: string[];
    }>(
      `
        select u.id, u.username, u.nickname, u.all_orgs as "allOrgs",
          array_agg(o.id order by lower(o.name)) as "orgIds"
        from user_copy u
        join organization o on ${inIt}
        where $1::uuid is null or o.id = $1
        group by u.id
        order by lower(u.username)
        limit 1000
      `,
      [orgId ?? null],
    );
    return rows;
  }

  async contents(id: string): Promise<Contents> {
    const { devices, users } = await this.get(id);
    return { hasDevice: devices > 0, devices, users };
  }

  async add({ name, description }: RouteInput<typeof addOrganization>['body']): Promise<OrganizationRecord> {
    await seeAll();
    const { companyId } = context();
    const id = uuidv7();
    await orNameTaken(
      currentSql().query(
        `
          insert into organization (id, company_id, name, description, version, updated_at)
          values ($1, $2, $3, $4, 1, now())
        `,
        [id, companyId, name, description],
      ),
    );
    await publishState([id]);
    auditNote({ objectId: id, objectName: name, detail: { before: null, after: { name, description } } });
    await emitLive(companyId, 'organization', [id], null);
    return this.get(id);
  }

  async edit({ id, name, description }: RouteInput<typeof editOrganization>['body']): Promise<OrganizationRecord> {
    const before = await this.get(id);
    await orNameTaken(
      currentSql().query(
        'update organization set name = $2, description = $3, version = version + 1, updated_at = now() where id = $1',
        [id, name, description],
      ),
    );
    await publishState([id]);
    auditNote({
      objectId: id,
      objectName: name,
      detail: { before: { name: before.name, description: before.description }, after: { name, description } },
    });
    await emitLive(context().companyId, 'organization', [id], null);
    return this.get(id);
  }

  async delete(id: string): Promise<void> {
    // Its row is held, so that of two who delete the last two organizations one is refused.
    await currentSql().query('select id from company for update');
    const { name, users, devices } = await this.get(id);
    auditNote({ objectId: id, objectName: name });
    const others = (
      await currentSql().query<{ n: number }>('select count(*)::int as n from organization where id <> $1', [id])
    ).rows[0]!.n;
    if (users > 0 || devices > 0) fail('org.notEmpty', { users, devices });
    if (others === 0 && (context().orgIds === '*' || context().allOrgs)) fail('org.last');
    const { companyId } = context();
    const { rows } = await currentSql().query<{ version: number; row: object }>(
      'delete from organization o where id = $1 returning version, to_jsonb(o) as row',
      [id],
    );
    await keepDeleted('organization', id, rows[0]!.row);
    await emit(orgOrganization, 'organization', id, null, { companyId, version: rows[0]!.version + 1 });
    await emitLive(companyId, 'organization', [id], null);
  }

  async restore(ids: readonly string[]): Promise<number> {
    await seeAll();
    const kept = await takeBack<{ id: string; name: string }>('organization', 'organization', ids);
    if (kept.length === 0) return 0;
    const names = kept.map((o) => o.name);
    auditNote({
      ...(kept.length === 1 ? { objectId: kept[0]!.id } : {}),
      objectName: names.join(', ').slice(0, 256),
      detail: { before: null, after: names },
    });
    // Above the version by which others were told of its end.
    await orNameTaken(
      currentSql().query(
        `
          insert into organization (id, company_id, name, description, version, updated_at)
          select r.id, r.company_id, r.name, r.description, r.version + 2, now()
          from jsonb_populate_recordset(null::organization, $1::jsonb) r
        `,
        [JSON.stringify(kept)],
      ),
    );
    const back = kept.map((o) => o.id);
    await publishState(back);
    await emitLive(context().companyId, 'organization', back, null);
    return back.length;
  }

  async transfer(id: string, to: string): Promise<Contents> {
    const [from, target] = [await this.get(id), await this.get(to)];
    await emit(
      orgTransfer,
      'transfer',
      context().companyId,
      { fromId: id, toId: to },
      { companyId: context().companyId },
    );
    auditNote({
      objectId: id,
      objectName: from.name,
      detail: { to: target.name, users: from.users, devices: from.devices },
    });
    return { hasDevice: from.devices > 0, devices: from.devices, users: from.users };
  }
}

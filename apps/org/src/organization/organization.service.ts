import { LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import {
  type addOrganization,
  type editOrganization,
  type listOrganizations,
  orgOrganization,
  orgTransfer,
  type RouteInput,
  type RouteReturn,
} from '@carillon/contracts';
import { emit } from '@carillon/messaging';
import {
  alphabetic,
  columnNames,
  columns,
  computed,
  currentEntities,
  currentSql,
  filterBy,
  type RowOf,
  uuidv7,
} from '@carillon/persistence';
import { context, seesAll } from '@carillon/tenancy';
import {
  auditNote,
  emitLive,
  fail,
  found,
  keepDeleted,
  readPage,
  takeBack,
  unlessTaken,
  noteRestored,
} from '@carillon/service';
import { publishCompanies } from '../org.publisher.ts';
import { UserCopy } from './content.entity.ts';
import { Organization } from './organization.entity.ts';
import { Company } from '../company/company.entity.ts';

export type OrganizationRecord = RouteReturn<typeof addOrganization>;
export interface Contents {
  hasDevice: boolean;
  devices: number;
  users: number;
}

/** A user who sees all organizations counts only in their default one. */
const inIt = `(o.id = any (u.org_ids) or o.id = u.default_org_id)`;
const users = `(select count(*)::int from user_copy u where ${inIt})`;
const devices = '(select count(*)::int from device_copy d where d.org_id = o.id)';
const record = columns(Organization, 'o', ['id', 'name', 'description', 'updatedAt'], {
  users: computed<number>(users),
  devices: computed<number>(devices),
});
const user = columns(UserCopy, 'u', ['id', 'username', 'nickname', 'allOrgs'], {
  orgIds: computed<string[]>(`array_agg(o.id order by ${alphabetic('o.name')})`),
});
const deleted = columns(Organization, 'o', ['version'], { row: computed<object>('to_jsonb(o)') });
const column = columnNames(Organization, 'o');
const filterColumns = {
  name: filterBy.text(column.name),
  description: filterBy.text(column.description),
  users: filterBy.number(users),
  devices: filterBy.number(devices),
  updatedAt: filterBy.moment(column.updatedAt),
};
/** Columns of the result, which are named like their properties. */
const sorts = {
  name: alphabetic(column.name),
  description: alphabetic(column.description),
  users: 'users',
  devices: 'devices',
  updatedAt: column.updatedAt,
};

/** Fails for users who see some organizations only, because they would not see a new one. Widens the session to all. */
async function seeAll(): Promise<void> {
  if (!seesAll()) fail('org.narrowed');
  await currentSql().query(`select set_config('app.org_ids', '*', true)`);
}

/**
 * Throws when a user of this organization is also in one that the acting user does not see. As with every change of a
 * user, all organizations of the user are needed, regardless of the current selection.
 */
async function seesWholly(id: string): Promise<void> {
  const { orgIds, allOrgs, userId } = context();
  if (orgIds === '*' || allOrgs) return;
  const { rowCount } = await currentSql().query(
    `
      select 1 as one
      from user_copy u
      where $1 = any (u.org_ids) and not u.org_ids <@ $2::uuid[] and not exists (
        select from user_copy a where a.id = $3 and (a.all_orgs or u.org_ids <@ a.org_ids)
      )
      limit 1
    `,
    [id, orgIds, userId],
  );
  if (rowCount > 0) fail('user.otherOrganizations');
}

const locked = { lockMode: LockMode.PESSIMISTIC_WRITE } as const;
const orNameTaken = <T>(work: Promise<T>) => unlessTaken(work, 'organization_name', 'name', 'org.nameTaken');

/** Manages the organizations of a company (ORG-01). Policies limit a user to their own. */
@Injectable()
export class OrganizationService {
  async list(query: RouteInput<typeof listOrganizations>['query']): Promise<RouteReturn<typeof listOrganizations>> {
    return readPage({
      query,
      record,
      from: 'organization o',
      searched: [column.name, column.description],
      filters: filterColumns,
      sorts,
      order: `${alphabetic(column.name)}, ${column.id}`,
    });
  }

  async get(id: string): Promise<OrganizationRecord> {
    return found((await currentSql().rows(record, `select ${record} from organization o where o.id = $1`, [id]))[0]);
  }

  listUsers(orgId: string | undefined): Promise<RowOf<typeof user>[]> {
    return currentSql().rows(
      user,
      `
        select ${user}
        from user_copy u
        join organization o on ${inIt}
        where $1::uuid is null or o.id = $1
        group by u.id
        order by ${alphabetic('u.username')}
        limit 1000
      `,
      [orgId ?? null],
    );
  }

  async countContents(id: string): Promise<Contents> {
    const { devices, users } = await this.get(id);
    return { hasDevice: devices > 0, devices, users };
  }

  async add({ name, description }: RouteInput<typeof addOrganization>['body']): Promise<OrganizationRecord> {
    await seeAll();
    const { companyId } = context();
    const id = uuidv7();
    currentEntities().create(Organization, { id, companyId, name, description, version: 1 });
    await orNameTaken(currentEntities().flush());
    await publishCompanies([id]);
    auditNote({ objectId: id, objectName: name, detail: { before: null, after: { name, description } } });
    await emitLive(companyId, 'organization', [id], null);
    return this.get(id);
  }

  async edit({ id, name, description }: RouteInput<typeof editOrganization>['body']): Promise<OrganizationRecord> {
    const organization = found(await currentEntities().findOne(Organization, id, locked));
    const before = { name: organization.name, description: organization.description };
    currentEntities().assign(organization, { name, description, version: organization.version + 1 });
    await orNameTaken(currentEntities().flush());
    await publishCompanies([id]);
    auditNote({
      objectId: id,
      objectName: name,
      detail: { before, after: { name, description } },
    });
    await emitLive(context().companyId, 'organization', [id], null);
    return this.get(id);
  }

  async delete(id: string): Promise<void> {
    // Locks the company's row, so that concurrent calls cannot delete the last two organizations.
    await currentEntities().findAll(Company, locked);
    const { name: objectName, users, devices } = await this.get(id);
    auditNote({ objectId: id, objectName });
    const others = await currentEntities().count(Organization, { id: { $ne: id } });
    if (users > 0 || devices > 0) fail('org.notEmpty', { users, devices });
    if (others === 0 && (context().orgIds === '*' || context().allOrgs)) fail('org.last');
    const { companyId } = context();
    const [row] = await currentSql().rows(deleted, `delete from organization o where o.id = $1 returning ${deleted}`, [
      id,
    ]);
    await keepDeleted('organization', id, row!.row);
    await emit(orgOrganization, 'organization', id, null, { companyId, version: row!.version + 1 });
    await emitLive(companyId, 'organization', [id], null);
  }

  async restore(ids: readonly string[]): Promise<number> {
    await seeAll();
    const kept = await takeBack<{ id: string; name: string }>('organization', 'organization', ids);
    if (kept.length === 0) return 0;
    noteRestored(kept);
    // Greater than the version of the deletion event.
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
    await publishCompanies(back);
    await emitLive(context().companyId, 'organization', back, null);
    return back.length;
  }

  async transfer(id: string, to: string): Promise<Contents> {
    const [from, target] = [await this.get(id), await this.get(to)];
    await seesWholly(id);
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

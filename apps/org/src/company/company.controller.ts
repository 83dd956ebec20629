import { Controller } from '@nestjs/common';
import {
  authCompany,
  editCompany,
  listCompanies,
  setCompanyStatus,
  toPage,
  type Message,
  type RouteInput,
  type RouteReturn,
} from '@carillon/contracts';
import { On } from '@carillon/messaging';
import {
  columnNames,
  columns,
  companySession,
  computed,
  containsPattern,
  currentDatabase,
  currentEntities,
  currentSql,
  Database,
  filterBy,
  filterSql,
  orderBy,
  parameters,
  platform,
  transaction,
  whereSql,
} from '@carillon/persistence';
import { emitAudit, emitLive, fail, found, Handle, unlessTaken } from '@carillon/service';
import { context, runAs } from '@carillon/tenancy';
import { Organization } from '../organization/organization.entity.ts';
import { publishState } from '../state.ts';
import { Company } from './company.entity.ts';

const [users, devices] = ['coalesce(u.n, 0)', 'coalesce(d.n, 0)'];
/** The companies with what each has. */
const counted = `
  company c
  left join (select company_id as id, count(*)::int as n from user_copy group by 1) u on u.id = c.id
  left join (select company_id as id, count(*)::int as n from device_copy group by 1) d on d.id = c.id
`;
const record = columns(Company, 'c', ['id', 'name', 'type', 'status', 'remarks', 'createdAt'], {
  users: computed<number>(users),
  devices: computed<number>(devices),
});
const changed = columns(Company, 'c', ['name', 'type', 'status', 'remarks']);
const count = columns(Company, 'c', [], { n: computed<number>('count(*)::int') });
const company = columnNames(Company, 'c');
const sorts = {
  name: `lower(${company.name})`,
  type: company.type,
  status: company.status,
  users: 'users',
  devices: 'devices',
  remarks: `lower(${company.remarks})`,
  createdAt: company.createdAt,
};
const { text, number, moment } = filterBy;
const filterColumns = {
  name: text(company.name),
  type: text(company.type),
  status: text(company.status),
  users: number(users),
  devices: number(devices),
  remarks: text(company.remarks),
  createdAt: moment(company.createdAt),
};

@Controller()
export class CompanyController {
  constructor(private readonly database: Database) {}

  /**
   * The super administrator's: the key of this call is no other kind of account's, and only here the policies are left.
   */
  @Handle(listCompanies)
  async list({ query }: RouteInput<typeof listCompanies>): Promise<RouteReturn<typeof listCompanies>> {
    const { page, limit } = toPage(query);
    const { add, values } = parameters();
    const where = whereSql([
      ...(query.search ? [`${company.name} ilike ${add(containsPattern(query.search))}`] : []),
      ...filterSql(query, filterColumns, add),
    ]);
    return platform(currentDatabase(), 'the super administrator lists companies', async () => {
      const [total] = await currentSql().rows(count, `select ${count} from ${counted} ${where}`, values);
      const records = await currentSql().rows(
        record,
        `
          select ${record}
          from ${counted}
          ${where}
          order by ${orderBy(query.sort, sorts, `lower(${company.name}), ${company.id}`)}
          limit ${add(limit)} offset ${add((page - 1) * limit)}
        `,
        values,
      );
      return { records, total: total!.n, current: page, size: limit };
    });
  }

  @Handle(editCompany)
  async edit({ body }: RouteInput<typeof editCompany>): Promise<RouteReturn<typeof editCompany>> {
    await this.change(body.id, 'company.edit', async () => {
      const { name, type, remarks } = body;
      await unlessTaken(
        currentSql().query(
          `
            update company
            set name = $2, type = $3, remarks = $4, version = version + 1, updated_at = now()
            where id = $1
          `,
          [body.id, name, type, remarks],
        ),
        'company_name',
        'name',
        'org.companyNameTaken',
      );
      return { name, type, remarks };
    });
    return null;
  }

  @Handle(setCompanyStatus)
  async setStatus({ body: { id, status } }: RouteInput<typeof setCompanyStatus>): Promise<null> {
    if (id === context().companyId) fail('org.ownCompany');
    await this.change(id, 'company.status', async () => {
      await currentSql().query(
        `update company set status = $2, version = version + 1, updated_at = now() where id = $1`,
        [id, status],
      );
      return { status };
    });
    return null;
  }

  /** Changes a company under its own policies; told to the other services, to its log and to that of who changed it. */
  private async change(id: string, action: string, work: () => Promise<Record<string, unknown>>): Promise<void> {
    const who = context();
    const note = await runAs({ ...who, companyId: id, orgIds: '*' }, () =>
      transaction(this.database, companySession(id), async () => {
        const before = found(
          (await currentSql().rows(changed, `select ${changed} from company c where c.id = $1 for update`, [id]))[0],
        );
        const after = await work();
        await publishState([id]);
        const told = { objectId: id, objectName: before.name, detail: { before, after: { ...before, ...after } } };
        await emitAudit(action, 'success', told);
        return told;
      }),
    );
    await transaction(this.database, companySession(who.companyId), async () => {
      if (who.companyId !== id) await emitAudit(action, 'success', note);
      await emitLive(who.companyId, 'company', [id], null);
    });
  }

  /** What auth has made the first administrator of. Its path lies below the company that ordered it. */
  @On(authCompany, ['made'])
  async made(messages: Message<typeof authCompany>[]): Promise<void> {
    for (const { data } of messages) {
      if (!data) continue;
      const { companyId, name, type, remarks } = data;
      // Told twice, also at the same time, it is made once.
      const made = await currentSql().query(
        `
          insert into company (id, company_id, name, path, type, status, remarks, version, created_at, updated_at)
          values ($1, $1, $2, $3, $4, 'normal', $5, 1, now(), now())
          on conflict (id) do nothing
        `,
        [companyId, name, `/${data.parentId}/${companyId}/`, type, remarks],
      );
      if (made.rowCount === 0) continue;
      currentEntities().create(Organization, {
        id: data.orgId,
        companyId,
        name: data.organizationName,
        description: '',
        version: 1,
      });
      await currentEntities().flush();
      await publishState([data.companyId, data.orgId]);
      // For whoever ordered it: the list that they look at is this service's.
      await emitLive(data.parentId, 'company', [data.companyId], null);
    }
  }
}

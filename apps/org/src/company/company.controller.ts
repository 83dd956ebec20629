import { Controller } from '@nestjs/common';
import {
  authCompany,
  editCompany,
  type EventData,
  listCompanies,
  type Message,
  provisioningFcsUse,
  type RouteInput,
  type RouteReturn,
  setCompanyStatus,
} from '@carillon/contracts';
import { On } from '@carillon/messaging';
import {
  alphabetic,
  columnNames,
  columns,
  companySession,
  computed,
  currentDatabase,
  currentEntities,
  currentSql,
  Database,
  filterBy,
  platform,
  transaction,
} from '@carillon/persistence';
import { emitAudit, emitLive, fail, found, Handle, readPage, unlessTaken } from '@carillon/service';
import { context, runAs, systemContext } from '@carillon/tenancy';
import { Organization } from '../organization/organization.entity.ts';
import { companyById, lockChannelTree, setState } from '../channel/channel.queries.ts';
import { makeCompany, setAccount } from '../channel/channel.making.ts';
import { publishChannels } from '../channel/channel.publisher.ts';
import { publishCompanies } from '../org.publisher.ts';
import { Company } from './company.entity.ts';

const [users, devices] = ['coalesce(u.n, 0)', 'coalesce(d.n, 0)'];
/** Companies with their numbers of users and devices. */
const counted = `
  company c
  left join (select company_id as id, count(*)::int as n from user_copy group by 1) u on u.id = c.id
  left join (select company_id as id, count(*)::int as n from device_copy group by 1) d on d.id = c.id
`;
const superior = `coalesce((select p.name from company p where p.id = c.parent_id), '')`;
const record = columns(
  Company,
  'c',
  [
    'id',
    'name',
    'type',
    'status',
    'createSubLimit',
    'fcsLimit',
    'licenseGranting',
    'fcsEnabled',
    'localSync',
    'remarks',
    'createdAt',
  ],
  {
    superior: computed<string>(superior),
    users: computed<number>(users),
    devices: computed<number>(devices),
  },
);
const changed = columns(Company, 'c', ['name', 'type', 'status', 'remarks']);
const company = columnNames(Company, 'c');
const sorts = {
  name: alphabetic(company.name),
  type: company.type,
  status: company.status,
  superior: alphabetic(superior),
  createSubLimit: company.createSubLimit,
  fcsLimit: company.fcsLimit,
  licenseGranting: company.licenseGranting,
  fcsEnabled: company.fcsEnabled,
  localSync: company.localSync,
  users: 'users',
  devices: 'devices',
  remarks: alphabetic(company.remarks),
  createdAt: company.createdAt,
};
const { text, number, moment, flag } = filterBy;
const filterColumns = {
  name: text(company.name),
  type: text(company.type),
  status: text(company.status),
  superior: text(superior),
  createSubLimit: number(company.createSubLimit),
  fcsLimit: number(company.fcsLimit),
  licenseGranting: flag(company.licenseGranting),
  fcsEnabled: flag(company.fcsEnabled),
  localSync: flag(company.localSync),
  users: number(users),
  devices: number(devices),
  remarks: text(company.remarks),
  createdAt: moment(company.createdAt),
};

@Controller()
export class CompanyController {
  constructor(private readonly database: Database) {}

  /**
   * Lists all companies for the super administrator: no other account type has this key, and only this call reads
   * across policies.
   */
  @Handle(listCompanies)
  async list({ query }: RouteInput<typeof listCompanies>): Promise<RouteReturn<typeof listCompanies>> {
    return platform(currentDatabase(), 'the super administrator lists companies', () =>
      readPage({
        query,
        record,
        from: counted,
        searched: [company.name],
        filters: filterColumns,
        sorts,
        order: `${alphabetic(company.name)}, ${company.id}`,
      }),
    );
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
    const who = context();
    if (id === who.companyId) fail('org.ownCompany');
    await this.change(id, 'company.status', async () => {
      await platform(currentDatabase(), 'the super administrator closes or opens a company', () =>
        setState(id, status, who.companyId),
      );
      return { status: found(await companyById(id)).status };
    });
    return null;
  }

  /** Changes a company under its own policies. Publishes it and writes its log and that of the caller's company. */
  private async change(id: string, action: string, work: () => Promise<Record<string, unknown>>): Promise<void> {
    const who = context();
    const note = await runAs({ ...who, companyId: id, orgIds: '*' }, () =>
      transaction(this.database, companySession(id), async () => {
        // Locks first, because publishing also changes rows of its ancestors.
        await lockChannelTree();
        const before = found(
          (await currentSql().rows(changed, `select ${changed} from company c where c.id = $1 for update`, [id]))[0],
        );
        const after = await work();
        await platform(currentDatabase(), 'who is above a company knows of its change', () => publishChannels([id]));
        const note = { objectId: id, objectName: before.name, detail: { before, after: { ...before, ...after } } };
        // The company's own log names neither the parent's user nor the parent's remarks.
        const { remarks: _, ...known } = before;
        const detail = { before: known, after: { ...known, ...after, remarks: undefined } };
        if (who.companyId !== id)
          await runAs(systemContext(id), () => emitAudit(action, 'success', { ...note, detail }));
        return note;
      }),
    );
    await transaction(this.database, companySession(who.companyId), async () => {
      await emitAudit(action, 'success', note);
      await emitLive(who.companyId, 'company', [id], null);
    });
  }

  /** Creates companies whose first administrator auth has created, and stores each change of that account. */
  @On(authCompany, ['made', 'account'])
  async account(messages: Message<typeof authCompany>[]): Promise<void> {
    for (const { data, companyId } of messages) {
      if (!data) continue;
      if ('userId' in data)
        await platform(currentDatabase(), 'who is above a company knows its account', () =>
          setAccount(companyId!, data),
        );
      else await this.make(data);
    }
  }

  /** Stores how many FCS accounts a company uses itself. */
  @On(provisioningFcsUse, ['use'])
  async used(messages: Message<typeof provisioningFcsUse>[]): Promise<void> {
    for (const { key, data, version } of messages) {
      const { rowCount } = await currentSql().query(
        `
          update company
          set fcs_used = $2, fcs_use_version = $3, version = version + 1, updated_at = now()
          where id = $1 and fcs_use_version < $3
        `,
        [key, data?.used ?? 0, version ?? 0],
      );
      if (rowCount > 0) await publishCompanies([key]);
    }
  }

  /**
   * Creates a company below the one that ordered it. Creates it once, however often and concurrently it is delivered.
   */
  private async make(data: EventData<typeof authCompany, 'made'>): Promise<void> {
    const { companyId, orgId, organizationName } = data;
    if (!(await platform(currentDatabase(), 'a company is made below another', () => makeCompany(data)))) return;
    currentEntities().create(Organization, {
      id: orgId,
      companyId,
      name: organizationName,
      description: '',
      version: 1,
    });
    await currentEntities().flush();
    await publishCompanies([orgId]);
  }
}

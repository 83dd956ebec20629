import { Controller } from '@nestjs/common';
import {
  authCompany,
  listCompanies,
  toPage,
  type Message,
  type RouteInput,
  type RouteReturn,
} from '@carillon/contracts';
import { On } from '@carillon/messaging';
import { containsPattern, currentDatabase, currentSql, iso, parameters, platform } from '@carillon/persistence';
import { emitLive, Handle } from '@carillon/service';
import { publishState } from '../state.ts';

@Controller()
export class CompanyController {
  /**
   * The super administrator's: the key of this call is no other kind of account's, and only here the policies are left.
   */
  @Handle(listCompanies)
  async list({ query }: RouteInput<typeof listCompanies>): Promise<RouteReturn<typeof listCompanies>> {
    const { page, limit } = toPage(query);
    const { add, values } = parameters();
    const where = query.search ? `where c.name ilike ${add(containsPattern(query.search))}` : '';
    return platform(currentDatabase(), 'the super administrator lists companies', async () => {
      const total = (
        await currentSql().query<{ n: number }>(`select count(*)::int as n from company c ${where}`, values)
      ).rows[0]!.n;
      const { rows } = await currentSql().query<RouteReturn<typeof listCompanies>['records'][number]>(
        `
          with users as (select company_id as id, count(*)::int as n from user_copy group by 1),
          devices as (select company_id as id, count(*)::int as n from device_copy group by 1)
          select c.id, c.name, c.type, c.status, c.remarks, coalesce(u.n, 0) as users, coalesce(d.n, 0) as devices,
            c.created_at as "createdAt"
          from company c
          left join users u on u.id = c.id
          left join devices d on d.id = c.id ${where}
          order by lower(c.name), c.id
          limit ${add(limit)} offset ${add((page - 1) * limit)}
        `,
        values,
      );
      return { records: rows.map((r) => ({ ...r, createdAt: iso(r.createdAt) })), total, current: page, size: limit };
    });
  }

  /** What auth has made the first administrator of. Its path lies below the company that ordered it. */
  @On(authCompany, ['made'])
  async made(messages: Message<typeof authCompany>[]): Promise<void> {
    for (const { data } of messages) {
      if (!data) continue;
      const made = await currentSql().query(
        `
          insert into company (id, company_id, name, path, type, status, version, created_at, updated_at, remarks)
          values ($1, $1, $2, $3, $4, 'normal', 1, now(), now(), $5)
          on conflict (id) do nothing
          returning id
        `,
        [data.companyId, data.name, `/${data.parentId}/${data.companyId}/`, data.type, data.remarks],
      );
      if (made.rowCount === 0) continue;
      await currentSql().query(
        `
          insert into organization (id, company_id, name, description, version, updated_at)
          values ($1, $2, $3, '', 1, now())
        `,
        [data.orgId, data.companyId, data.organizationName],
      );
      await publishState([data.companyId, data.orgId]);
      // For whoever ordered it: the list that he looks at is that of this service.
      await emitLive(data.parentId, 'company', [data.companyId], null);
    }
  }
}

import { defineEntity, p } from '@mikro-orm/postgresql';
import { Controller } from '@nestjs/common';
import { orgSite, type Message } from '@carillon/contracts';
import { On, project } from '@carillon/messaging';
import { currentSql, tenant, tenantProperties } from '@carillon/persistence';
import { emitLive } from '@carillon/service';
import { emitViews, returningView, type ViewRow } from '../device/device.service.ts';

/** The sites of a company with what decides who is in them. */
export const SiteCopy = defineEntity({
  name: 'SiteCopy',
  tableName: 'site_copy',
  ...tenant(),
  properties: {
    ...tenantProperties,
    parentId: p.uuid().strictNullable(),
    name: p.string().length(64),
    autoAssign: p.boolean(),
    segments: p.array().columnType('cidr[]'),
    version: p.bigint('number'),
    era: p.integer(),
  },
});

@Controller()
export class SiteProjection {
  @On(orgSite, ['site'])
  async site(messages: Message<typeof orgSite>[]): Promise<void> {
    await project(
      {
        table: 'site_copy',
        id: 'id',
        columns: { company_id: 'uuid', parent_id: 'uuid', name: 'text', auto_assign: 'boolean', segments: 'cidr[]' },
      },
      messages,
      ({ companyId, parentId, name, autoAssign, segments }) => ({
        company_id: companyId,
        parent_id: parentId,
        name,
        auto_assign: autoAssign,
        segments,
      }),
    );
    const gone = messages.filter((m) => m.data === null).map((m) => m.key);
    // Only if the site stayed away: its key may have been told of again.
    const left =
      gone.length === 0
        ? []
        : (
            await currentSql().query<ViewRow>(
              `
                update device
                set site_id = null, left_site_id = site_id, version = version + 1
                where site_id = any($1::uuid[]) and not exists (select 1 from site_copy s where s.id = site_id)
                returning ${returningView}
              `,
              [gone],
            )
          ).rows;
    // A deletion that was taken back: who was there is there again, but for those that somebody has put elsewhere.
    const back = (
      await currentSql().query<ViewRow>(
        `
          update device
          set site_id = left_site_id, left_site_id = null, version = version + 1
          where left_site_id = any($1::uuid[])
            and site_id is null
            and exists (select 1 from site_copy s where s.id = left_site_id)
          returning ${returningView}
        `,
        [messages.map((m) => m.key)],
      )
    ).rows;
    if (left.length + back.length > 0) await emitViews([...left, ...back]);
    // Its name stands in the rows of its devices, and it may be offered to any.
    const { companyId } = messages[0]!;
    const seen = await currentSql().query<{ id: string; org_id: string }>(
      'select id, org_id from device where site_id = any($1::uuid[]) limit 201',
      [messages.map((m) => m.key)],
    );
    const told = [...left.map((v) => ({ id: v.id, org_id: v.orgId })), ...seen.rows];
    if (companyId !== null && told.length > 0)
      await emitLive(
        companyId,
        'device',
        told.map((d) => d.id),
        told.length > 200 ? null : told.map((d) => d.org_id),
      );
  }
}

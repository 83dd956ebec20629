import { defineEntity, p } from '@mikro-orm/postgresql';
import { Controller } from '@nestjs/common';
import { orgSite, type Message } from '@carillon/contracts';
import { On, project } from '@carillon/messaging';
import { columns, currentSql, tenant, tenantProperties } from '@carillon/persistence';
import { emitLive } from '@carillon/service';
import { Device } from '../device/device.entity.ts';
import { deviceView, publishDevices } from '../device/device.publisher.ts';

/** The sites of a company with what decides which devices are in them. */
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

const addressed = columns(Device, 'd', ['id', 'orgId']);

@Controller()
export class SiteProjection {
  @On(orgSite, ['site'])
  async site(messages: Message<typeof orgSite>[]): Promise<void> {
    await project(SiteCopy, messages, ({ companyId, parentId, name, autoAssign, segments }) => ({
      companyId,
      parentId,
      name,
      autoAssign,
      segments,
    }));
    const gone = messages.filter((m) => m.data === null).map((m) => m.key);
    // Only if the site is still gone: a later message of the batch may contain it again.
    const left =
      gone.length === 0
        ? []
        : await currentSql().rows(
            deviceView,
            `
              update device d
              set site_id = null, left_site_id = site_id, version = version + 1
              where site_id = any($1::uuid[]) and not exists (select 1 from site_copy s where s.id = site_id)
              returning ${deviceView}
            `,
            [gone],
          );
    // A restored site gets its former devices back, except those that were placed elsewhere since.
    const back = await currentSql().rows(
      deviceView,
      `
        update device d
        set site_id = left_site_id, left_site_id = null, version = version + 1
        where left_site_id = any($1::uuid[])
          and site_id is null
          and exists (select 1 from site_copy s where s.id = left_site_id)
        returning ${deviceView}
      `,
      [messages.map((m) => m.key)],
    );
    if (left.length + back.length > 0) await publishDevices([...left, ...back]);
    // The rows of its devices show its name, and any device may be offered the site.
    const { companyId } = messages[0]!;
    const placed = await currentSql().rows(
      addressed,
      `select ${addressed} from device d where d.site_id = any($1::uuid[]) limit 201`,
      [messages.map((m) => m.key)],
    );
    const moved = [...left, ...placed];
    if (companyId !== null && moved.length > 0)
      await emitLive(
        companyId,
        'device',
        moved.map((d) => d.id),
        moved.length > 200 ? null : moved.map((d) => d.orgId),
      );
  }
}

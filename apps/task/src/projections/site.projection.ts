import { Controller } from '@nestjs/common';
import { orgSite, type Message } from '@carillon/contracts';
import { On, project } from '@carillon/messaging';
import { columns, currentSql } from '@carillon/persistence';
import { moveWithZones } from '../schedule/site-zones.ts';
import { SiteCopy } from './site-copy.entity.ts';

const zoned = columns(SiteCopy, 's', ['id', 'timeZone']);
/** Returns the time zones of these sites, by their ids. */
const zonesOf = async (ids: readonly string[]): Promise<Map<string, string | null>> =>
  new Map(
    (await currentSql().rows(zoned, `select ${zoned} from site_copy s where s.id = any($1::uuid[])`, [ids])).map(
      ({ id, timeZone }) => [id, timeZone],
    ),
  );

@Controller()
export class SiteProjection {
  /** Copies sites. A task that waits for its time in the zones of sites begins earlier or later when they change. */
  @On(orgSite, ['site'])
  async site(messages: Message<typeof orgSite>[]): Promise<void> {
    const ids = [...new Set(messages.map(({ key }) => key))];
    const before = await zonesOf(ids);
    await project(SiteCopy, messages, ({ companyId, parentId, name, timeZone = null }) => ({
      companyId,
      parentId,
      name,
      timeZone,
    }));
    const after = await zonesOf(ids);
    const changed = ids.filter((id) => (before.get(id) ?? null) !== (after.get(id) ?? null));
    if (changed.length === 0) return;
    const zones = (zoneOf: Map<string, string | null>) => changed.flatMap((id) => zoneOf.get(id) ?? []);
    await moveWithZones(messages[0]!.companyId!, changed, zones(before), zones(after));
  }
}

import { defineEntity, p } from '@mikro-orm/postgresql';
import { Controller } from '@nestjs/common';
import { orgSite, type Message } from '@carillon/contracts';
import { On, project } from '@carillon/messaging';
import { columns, currentSql, tenant, tenantProperties } from '@carillon/persistence';
import { configureConcerned } from '../device-config/config-due.ts';

/** Copies the tree of sites: an account may belong to one, and a template is for a site and those below it. */
export const SiteCopy = defineEntity({
  name: 'SiteCopy',
  tableName: 'site_copy',
  properties: {
    ...tenantProperties,
    /** Null for the top, and in a copy from the release before until the site is published again. */
    parentId: p.uuid().strictNullable(),
    name: p.string().length(64),
    /** IANA; null: none of its own. */
    timeZone: p.string().length(64).strictNullable(),
    version: p.bigint('number'),
    era: p.integer(),
  },
  ...tenant(),
});

const placed = columns(SiteCopy, 's', ['id', 'parentId', 'timeZone']);
/** Returns the sites above these and their time zones as one text, by their ids. */
const placesOf = async (ids: readonly string[]): Promise<Map<string, string>> =>
  new Map(
    (await currentSql().rows(placed, `select ${placed} from site_copy s where s.id = any($1::uuid[])`, [ids])).map(
      ({ id, parentId, timeZone }) => [id, `${parentId} ${timeZone}`],
    ),
  );

@Controller()
export class SiteProjection {
  /** Copies sites. An account of a deleted site is shown without one, and has it again when the deletion is undone. */
  @On(orgSite, ['site'])
  async site(messages: Message<typeof orgSite>[]): Promise<void> {
    const ids = [...new Set(messages.map(({ key }) => key))];
    const before = await placesOf(ids);
    await project(SiteCopy, messages, ({ companyId, parentId, name, timeZone = null }) => ({
      companyId,
      parentId,
      name,
      timeZone,
    }));
    const after = await placesOf(ids);
    const moved = ids.filter((id) => before.get(id) !== after.get(id));
    if (moved.length > 0) await configureConcerned(messages[0]!.companyId!, 'site', moved);
  }
}

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
    version: p.bigint('number'),
    era: p.integer(),
  },
  ...tenant(),
});

const placed = columns(SiteCopy, 's', ['id', 'parentId']);
/** Returns the sites above these, by their ids. */
const treeOf = async (ids: readonly string[]): Promise<Map<string, string | null>> =>
  new Map(
    (await currentSql().rows(placed, `select ${placed} from site_copy s where s.id = any($1::uuid[])`, [ids])).map(
      ({ id, parentId }) => [id, parentId],
    ),
  );

@Controller()
export class SiteProjection {
  /** Copies sites. An account of a deleted site is shown without one, and has it again when the deletion is undone. */
  @On(orgSite, ['site'])
  async site(messages: Message<typeof orgSite>[]): Promise<void> {
    const ids = [...new Set(messages.map(({ key }) => key))];
    const before = await treeOf(ids);
    await project(SiteCopy, messages, ({ companyId, parentId, name }) => ({ companyId, parentId, name }));
    const after = await treeOf(ids);
    const moved = ids.filter((id) => before.get(id) !== after.get(id));
    if (moved.length > 0) await configureConcerned(messages[0]!.companyId!, 'site', moved);
  }
}

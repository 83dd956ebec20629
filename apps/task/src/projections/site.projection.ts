import { defineEntity, p } from '@mikro-orm/postgresql';
import { Controller } from '@nestjs/common';
import { orgSite, type Message } from '@carillon/contracts';
import { On, project } from '@carillon/messaging';
import { tenant, tenantProperties } from '@carillon/persistence';

/** The tree of sites: a freeze of a site includes the sites below it. */
export const SiteCopy = defineEntity({
  name: 'SiteCopy',
  tableName: 'site_copy',
  indexes: [{ name: 'site_copy_parent', expression: 'create index site_copy_parent on site_copy (parent_id)' }],
  ...tenant(),
  properties: {
    ...tenantProperties,
    parentId: p.uuid().strictNullable(),
    name: p.string().length(64),
    version: p.bigint('number'),
    era: p.integer(),
  },
});

@Controller()
export class SiteProjection {
  @On(orgSite, ['site'])
  async site(messages: Message<typeof orgSite>[]): Promise<void> {
    await project(SiteCopy, messages, ({ companyId, parentId, name }) => ({ companyId, parentId, name }));
  }
}

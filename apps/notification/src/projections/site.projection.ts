import { defineEntity, p } from '@mikro-orm/postgresql';
import { Controller } from '@nestjs/common';
import { orgSite, type Message } from '@carillon/contracts';
import { On, project } from '@carillon/messaging';
import { tenant, tenantProperties } from '@carillon/persistence';

/** Names of sites, which many alarms may have in common. */
const SiteCopySchema = defineEntity({
  name: 'SiteCopy',
  tableName: 'site_copy',
  ...tenant(),
  properties: { ...tenantProperties, name: p.string().length(64), version: p.bigint('number'), era: p.integer() },
});
export class SiteCopy extends SiteCopySchema.class {}
SiteCopySchema.setClass(SiteCopy);

@Controller()
export class SiteProjection {
  @On(orgSite, ['site'])
  async site(messages: Message<typeof orgSite>[]): Promise<void> {
    await project(SiteCopy, messages, ({ companyId, name }) => ({ companyId, name }));
  }
}

import { defineEntity, p } from '@mikro-orm/postgresql';
import { Controller } from '@nestjs/common';
import { orgSite, type Message } from '@carillon/contracts';
import { On, project } from '@carillon/messaging';
import { tenant, tenantProperties } from '@carillon/persistence';

/** Sites by name: an account may belong to one. */
export const SiteCopy = defineEntity({
  name: 'SiteCopy',
  tableName: 'site_copy',
  properties: { ...tenantProperties, name: p.string().length(64), version: p.bigint('number'), era: p.integer() },
  ...tenant(),
});

@Controller()
export class SiteProjection {
  /** An account of a site that is gone is shown without one, and has it again when the deletion is taken back. */
  @On(orgSite, ['site'])
  async site(messages: Message<typeof orgSite>[]): Promise<void> {
    await project(SiteCopy, messages, ({ companyId, name }) => ({ companyId, name }));
  }
}

import { defineEntity, p } from '@mikro-orm/postgresql';
import { Controller } from '@nestjs/common';
import { orgOrganization, type Message } from '@carillon/contracts';
import { On, project } from '@carillon/messaging';
import { tenant, tenantProperties } from '@carillon/persistence';

/** Organizations by name: an email notice may be of one. */
const OrganizationCopySchema = defineEntity({
  name: 'OrganizationCopy',
  tableName: 'organization_copy',
  ...tenant(),
  properties: { ...tenantProperties, name: p.string().length(64), version: p.bigint('number'), era: p.integer() },
});
export class OrganizationCopy extends OrganizationCopySchema.class {}
OrganizationCopySchema.setClass(OrganizationCopy);

@Controller()
export class OrganizationProjection {
  @On(orgOrganization, ['organization'])
  async organization(messages: Message<typeof orgOrganization>[]): Promise<void> {
    await project(OrganizationCopy, messages, ({ companyId, name }) => ({ companyId, name }));
  }
}

import { defineEntity, p } from '@mikro-orm/postgresql';
import { Controller } from '@nestjs/common';
import { orgOrganization, orgTransfer, type Message } from '@carillon/contracts';
import { On, project } from '@carillon/messaging';
import { tenant, tenantProperties } from '@carillon/persistence';
import { moveAccounts } from '../sip-account/sip-account.service.ts';

/**
 * The existing organizations. Without this check, a user who sees all could put an account where nobody would ever see
 * it.
 */
export const OrganizationCopy = defineEntity({
  name: 'OrganizationCopy',
  tableName: 'organization_copy',
  properties: { ...tenantProperties, name: p.string().length(64), version: p.bigint('number'), era: p.integer() },
  ...tenant(),
});

@Controller()
export class OrganizationProjection {
  @On(orgOrganization, ['organization'])
  async organization(messages: Message<typeof orgOrganization>[]): Promise<void> {
    await project(OrganizationCopy, messages, ({ companyId, name }) => ({ companyId, name }));
  }

  /** Moves the accounts of an organization that is merged into another one. */
  @On(orgTransfer, ['transfer'])
  async transfer(messages: Message<typeof orgTransfer>[]): Promise<void> {
    for (const { data } of messages) if (data) await moveAccounts(data.fromId, data.toId);
  }
}

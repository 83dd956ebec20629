import { defineEntity, p } from '@mikro-orm/postgresql';
import { Controller } from '@nestjs/common';
import { orgOrganization, type Message } from '@carillon/contracts';
import { On, project } from '@carillon/messaging';
import { currentEntities, tenant, tenantProperties } from '@carillon/persistence';
import { fail, found } from '@carillon/service';
import { context } from '@carillon/tenancy';

/** Names of organizations, to which an email notice or a webhook may belong. */
const OrganizationCopySchema = defineEntity({
  name: 'OrganizationCopy',
  tableName: 'organization_copy',
  ...tenant(),
  properties: { ...tenantProperties, name: p.string().length(64), version: p.bigint('number'), era: p.integer() },
});
export class OrganizationCopy extends OrganizationCopySchema.class {}
OrganizationCopySchema.setClass(OrganizationCopy);

/**
 * Returns the organization of a new object: a user who sees some organizations names one of them or gets their own;
 * null: the whole company.
 */
export async function organizationFor(asked: string | undefined): Promise<string | null> {
  const { orgId, orgIds } = context();
  if (orgIds !== '*') {
    const id = asked ?? orgId;
    if (id === null || !orgIds.includes(id)) fail('common.notFound');
    return id;
  }
  if (asked === undefined) return null;
  found(await currentEntities().findOne(OrganizationCopy, asked));
  return asked;
}

@Controller()
export class OrganizationProjection {
  @On(orgOrganization, ['organization'])
  async organization(messages: Message<typeof orgOrganization>[]): Promise<void> {
    await project(OrganizationCopy, messages, ({ companyId, name }) => ({ companyId, name }));
  }
}

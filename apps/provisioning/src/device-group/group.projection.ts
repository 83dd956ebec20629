import { defineEntity, p } from '@mikro-orm/postgresql';
import { Controller } from '@nestjs/common';
import { deviceGroupState, type Message } from '@carillon/contracts';
import { On, project } from '@carillon/messaging';
import { tenant, tenantProperties } from '@carillon/persistence';

/** The names of device groups, which a template may be for. */
export const GroupCopy = defineEntity({
  name: 'GroupCopy',
  tableName: 'group_copy',
  ...tenant({ organization: true }),
  properties: {
    ...tenantProperties,
    orgId: p.uuid(),
    name: p.string().length(64),
    version: p.bigint('number'),
    era: p.integer(),
  },
});

@Controller()
export class GroupProjection {
  @On(deviceGroupState, ['group'])
  async group(messages: Message<typeof deviceGroupState>[]): Promise<void> {
    await project(GroupCopy, messages, ({ companyId, orgId, name }) => ({ companyId, orgId, name }));
  }
}

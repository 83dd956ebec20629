import { Controller } from '@nestjs/common';
import { orgCompany, type companyStatuses, type Message } from '@carillon/contracts';
import { On, project } from '@carillon/messaging';
import { currentDatabase, currentSql, platform } from '@carillon/persistence';
import { ChannelCopy } from './channel-copy.entity.ts';

@Controller()
export class ChannelProjection {
  @On(orgCompany, ['company'])
  async company(messages: Message<typeof orgCompany>[]): Promise<void> {
    await platform(currentDatabase(), 'a company is kept as a row of the one above it', async () => {
      await project(ChannelCopy, messages, (data) => {
        const { id, parentId = id, name, status, path } = data;
        return { companyId: parentId, name, status: status as (typeof companyStatuses)[number], path };
      });
      // Orders that were assigned to this company show its new name, as long as it is a child of the giver.
      await currentSql().query(
        `
          update channel_order o
          set receiver = c.name
          from channel_copy c
          where c.id = any ($1::uuid[]) and o.receiver_id = c.id and o.receiver <> c.name
            and o.company_id is not distinct from c.company_id
        `,
        [messages.map((m) => m.key)],
      );
    });
  }
}

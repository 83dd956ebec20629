import { Controller } from '@nestjs/common';
import { orgTransfer, type Message } from '@carillon/contracts';
import { On } from '@carillon/messaging';
import { moveDevices } from '../device/device.service.ts';

/** Moves devices when their organization is merged into another one. */
@Controller()
export class OrganizationConsumer {
  @On(orgTransfer, ['transfer'])
  async transfer(messages: Message<typeof orgTransfer>[]): Promise<void> {
    for (const { data } of messages) if (data) await moveDevices(data.fromId, data.toId);
  }
}

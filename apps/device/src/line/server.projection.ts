import { Controller } from '@nestjs/common';
import { provisioningServer, type Message } from '@carillon/contracts';
import { On, project } from '@carillon/messaging';
import { columns, currentSql } from '@carillon/persistence';
import { emitLive } from '@carillon/service';
import { Device } from '../device/device.entity.ts';
import { ServerCopy } from './server-copy.entity.ts';

const addressed = columns(Device, 'd', ['id', 'orgId']);

@Controller()
export class ServerProjection {
  /**
   * Copies SIP servers. A device keeps the id of a deleted server, so that restoring the server restores it there too.
   */
  @On(provisioningServer, ['server'])
  async server(messages: Message<typeof provisioningServer>[]): Promise<void> {
    await project(ServerCopy, messages, ({ companyId, name, address }) => ({ companyId, name, address }));
    // The rows of its devices show its name.
    const { companyId } = messages[0]!;
    const shown = await currentSql().rows(
      addressed,
      `select ${addressed} from device d where d.server_id = any ($1::uuid[]) limit 201`,
      [messages.map((m) => m.key)],
    );
    if (companyId !== null && shown.length > 0)
      await emitLive(
        companyId,
        'device',
        shown.map((d) => d.id),
        shown.length > 200 ? null : shown.map((d) => d.orgId),
      );
  }
}

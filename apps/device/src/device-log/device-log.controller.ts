import { Controller } from '@nestjs/common';
import { listDeviceLog, taskDevice, type Message, type RouteInput } from '@carillon/contracts';
import { On } from '@carillon/messaging';
import { emitLive, Handle } from '@carillon/service';
import { noteTasks, pageOfLog } from './device-log.queries.ts';

@Controller()
export class DeviceLogController {
  @Handle(listDeviceLog) list({ query }: RouteInput<typeof listDeviceLog>) {
    return pageOfLog(query);
  }

  @On(taskDevice, ['ended'])
  async ended(messages: Message<typeof taskDevice>[]): Promise<void> {
    const noted = await noteTasks(messages);
    if (noted.length === 0) return;
    const [ids, orgIds] = [noted.map((d) => d.id), [...new Set(noted.map((d) => d.orgId))]];
    await emitLive(messages[0]!.companyId!, 'device', ids, orgIds);
  }
}

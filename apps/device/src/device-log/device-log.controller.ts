import { Controller } from '@nestjs/common';
import { listDeviceLog, type RouteInput } from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { pageOfLog } from './device-log.queries.ts';

@Controller()
export class DeviceLogController {
  @Handle(listDeviceLog) list({ query }: RouteInput<typeof listDeviceLog>) {
    return pageOfLog(query);
  }
}

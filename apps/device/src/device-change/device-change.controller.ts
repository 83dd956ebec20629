import { Controller } from '@nestjs/common';
import {
  addDeviceChange,
  addDeviceDeletion,
  deleteDeviceChange,
  listDeviceChangeRows,
  listDeviceChanges,
  retryDeviceChange,
  type RouteInput,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { DeviceChangeService } from './device-change.service.ts';

@Controller()
export class DeviceChangeController {
  constructor(private readonly changes: DeviceChangeService) {}

  @Handle(addDeviceChange) add({ body }: RouteInput<typeof addDeviceChange>) {
    return this.changes.edit(body.target, body.set);
  }
  @Handle(addDeviceDeletion) remove({ body }: RouteInput<typeof addDeviceDeletion>) {
    return this.changes.delete(body.target);
  }
  @Handle(listDeviceChanges) list() {
    return this.changes.list();
  }
  @Handle(listDeviceChangeRows) rows({ params, query }: RouteInput<typeof listDeviceChangeRows>) {
    return this.changes.rows(params.id, query);
  }
  @Handle(retryDeviceChange) retry({ params }: RouteInput<typeof retryDeviceChange>) {
    return this.changes.retry(params.id);
  }
  @Handle(deleteDeviceChange) end({ params }: RouteInput<typeof deleteDeviceChange>) {
    return this.changes.end(params.id);
  }
}

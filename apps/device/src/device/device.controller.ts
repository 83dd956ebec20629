import { Controller } from '@nestjs/common';
import {
  addDevice,
  countDevices,
  deleteDevices,
  disableDevices,
  editDevice,
  enableDevices,
  endOldDeviceSecret,
  getDevice,
  listDevices,
  renewDeviceSecret,
  replaceDevice,
  restoreDevices,
  type RouteInput,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { DeviceAddService } from './add.service.ts';
import { DeletionService } from './deletion.service.ts';
import { DeviceReplaceService } from './replace.service.ts';
import { DeviceService } from './device.service.ts';
import { countOfDevices } from './device-count.queries.ts';
import { pageOfDevices } from './device-list.queries.ts';
import { DeviceEditService } from './edit.service.ts';
import { deviceByIdOrMac } from './device.queries.ts';

@Controller()
export class DeviceController {
  constructor(
    private readonly devices: DeviceService,
    private readonly additions: DeviceAddService,
    private readonly edits: DeviceEditService,
    private readonly replacements: DeviceReplaceService,
    private readonly deletions: DeletionService,
  ) {}

  @Handle(listDevices) list({ query }: RouteInput<typeof listDevices>) {
    return pageOfDevices(query);
  }
  @Handle(countDevices) count({ query }: RouteInput<typeof countDevices>) {
    return countOfDevices(query);
  }
  @Handle(getDevice) get({ params }: RouteInput<typeof getDevice>) {
    return deviceByIdOrMac(params.id);
  }
  @Handle(addDevice) add({ body }: RouteInput<typeof addDevice>) {
    return this.additions.add(body);
  }
  @Handle(editDevice) edit({ body }: RouteInput<typeof editDevice>) {
    return this.edits.edit(body);
  }
  @Handle(replaceDevice) replace({ params, body }: RouteInput<typeof replaceDevice>) {
    return this.replacements.replace(params.id, body);
  }
  @Handle(renewDeviceSecret) renew({ params }: RouteInput<typeof renewDeviceSecret>) {
    return this.devices.renewSecret(params.id);
  }
  @Handle(endOldDeviceSecret) endOldSecret({ params }: RouteInput<typeof endOldDeviceSecret>) {
    return this.devices.endOldSecret(params.id);
  }
  @Handle(disableDevices) async disable({ body }: RouteInput<typeof disableDevices>) {
    return { disabled: await this.devices.setEnabled(body.ids, false) };
  }
  @Handle(enableDevices) async enable({ body }: RouteInput<typeof enableDevices>) {
    return { enabled: await this.devices.setEnabled(body.ids, true) };
  }
  @Handle(deleteDevices) remove({ query }: RouteInput<typeof deleteDevices>) {
    return this.deletions.remove(query.ids);
  }
  @Handle(restoreDevices) restore({ body }: RouteInput<typeof restoreDevices>) {
    return this.deletions.restore(body.ids);
  }
}

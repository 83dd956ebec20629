import { Controller } from '@nestjs/common';
import {
  addDeviceGroup,
  addToDeviceGroup,
  deleteDeviceGroup,
  editDeviceGroup,
  getDeviceGroup,
  listDeviceGroupNames,
  listDeviceGroups,
  removeFromDeviceGroup,
  restoreDeviceGroups,
  type RouteInput,
} from '@carillon/contracts';
import { Handle } from '@carillon/service';
import { listGroupNames, pageOfGroups } from './device-group.queries.ts';
import { DeviceGroupService } from './device-group.service.ts';

@Controller()
export class DeviceGroupController {
  constructor(private readonly groups: DeviceGroupService) {}

  @Handle(listDeviceGroups) list({ query }: RouteInput<typeof listDeviceGroups>) {
    return pageOfGroups(query);
  }
  @Handle(listDeviceGroupNames) listNames() {
    return listGroupNames();
  }
  @Handle(getDeviceGroup) get({ params }: RouteInput<typeof getDeviceGroup>) {
    return this.groups.get(params.id);
  }
  @Handle(addDeviceGroup) add({ body }: RouteInput<typeof addDeviceGroup>) {
    return this.groups.add(body);
  }
  @Handle(editDeviceGroup) edit({ body }: RouteInput<typeof editDeviceGroup>) {
    return this.groups.edit(body);
  }
  @Handle(deleteDeviceGroup) delete({ query }: RouteInput<typeof deleteDeviceGroup>) {
    return this.groups.delete(query.id);
  }
  @Handle(restoreDeviceGroups) restore({ body }: RouteInput<typeof restoreDeviceGroups>) {
    return this.groups.restore(body.ids);
  }
  @Handle(addToDeviceGroup) async addDevices({ params, body }: RouteInput<typeof addToDeviceGroup>) {
    return { added: await this.groups.changeMembers(params.id, 'add', body) };
  }
  @Handle(removeFromDeviceGroup) async removeDevices({ params, body }: RouteInput<typeof removeFromDeviceGroup>) {
    return { removed: await this.groups.changeMembers(params.id, 'remove', body) };
  }
}

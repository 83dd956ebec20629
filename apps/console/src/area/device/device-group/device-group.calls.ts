import { queryOptions } from '@tanstack/react-query';
import type { RouteOutput } from '@carillon/contracts';
import { call, remote } from '../../../kit/api/call.ts';

export const listDeviceGroups = remote('listDeviceGroups', 'GET /api/f/device/group/list');
const names = remote('listDeviceGroupNames', 'GET /api/f/device/group');
export const addDeviceGroup = remote('addDeviceGroup', 'POST /api/f/device/group');
export const editDeviceGroup = remote('editDeviceGroup', 'PUT /api/f/device/group');
export const deleteDeviceGroup = remote('deleteDeviceGroup', 'DELETE /api/f/device/group');
export const restoreDeviceGroups = remote('restoreDeviceGroups', 'POST /api/f/device/group/restore');
export const addToDeviceGroup = remote('addToDeviceGroup', 'POST /api/f/device/group/{id}/add');
export const removeFromDeviceGroup = remote('removeFromDeviceGroup', 'POST /api/f/device/group/{id}/remove');

export type DeviceGroup = RouteOutput<typeof listDeviceGroups>['records'][number];
type DeviceGroupName = RouteOutput<typeof names>[number];

/** The groups that a device can be added to and filtered by. */
export const deviceGroupNamesQuery = queryOptions({
  queryKey: ['deviceGroup', 'names'],
  queryFn: ({ signal }) => call(names, {}, { signal }),
});

/** Returns groups as select options; two organizations may have groups with the same name. */
export const groupOptions = (groups: readonly DeviceGroupName[]): { value: string; label: string }[] =>
  groups.map(({ id, name, organization }) => ({
    value: id,
    label:
      organization && groups.some((other) => other.id !== id && other.name === name)
        ? `${name} · ${organization.name}`
        : name,
  }));

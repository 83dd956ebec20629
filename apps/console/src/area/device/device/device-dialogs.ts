/** All actions for devices in one chunk, which the list and the page of a device load with the first of them. */
export { default as AssignSite } from './assign-site.tsx';
export { default as AssignChannel } from './assign-channel.tsx';
export { default as DeleteDevices } from './delete-devices.tsx';
export { default as DeviceAccess } from './device-access.tsx';
export { default as DeviceChanges } from '../device-change/device-changes.tsx';
export { default as EditDevices } from '../device-change/edit-devices.tsx';
export { default as EditTags } from '../tag/edit-tags.tsx';
export { default as GroupMembers } from '../device-group/group-members.tsx';
export { default as LineSheet } from '../line/line-sheet-dialog.tsx';
export { default as OpenAccess } from '../first-access/open-access.tsx';
export { default as ReplaceDevice } from './replace-device.tsx';

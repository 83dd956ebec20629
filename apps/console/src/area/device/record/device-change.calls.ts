import { remote } from '../../../kit/api/call.ts';

// Calls that change devices, separate from the list's, so that the list loads without them.

export const addDevice = remote('addDevice', 'POST /api/f/device/device');
export const renewDeviceSecret = remote('renewDeviceSecret', 'POST /api/f/device/device/{id}/secret');
export const endOldDeviceSecret = remote('endOldDeviceSecret', 'DELETE /api/f/device/device/{id}/secret/old');
export const replaceDevice = remote('replaceDevice', 'POST /api/f/device/device/{id}/replace');
export const disableDevices = remote('disableDevices', 'POST /api/f/device/device/disable');
export const enableDevices = remote('enableDevices', 'POST /api/f/device/device/enable');
export const editDevice = remote('editDevice', 'PUT /api/f/device/device');
export const restoreDevices = remote('restoreDevices', 'POST /api/f/device/device/restore');
export const deleteDevices = remote('deleteDevices', 'DELETE /api/f/device/device');

/**
 * Permissions of the task actions. Generated from `libs/actions`, which depends on the contracts, by `node
 * --conditions=carillon-source libs/devtools/src/actions.ts --write`; lint compares them.
 */
export const actionRights = [
  'configureDevice',
  'controlDoor',
  'resetDevice',
  'pushFirmware',
  'locateDevice',
  'rebootDevice',
  'sendDeviceResource',
] as const;

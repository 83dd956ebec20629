/**
 * The rights of what a task can make a device do. Written from `libs/actions`, which stands above the contracts, by
 * `node --conditions=carillon-source libs/devtools/src/actions.ts --write`; lint compares them.
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

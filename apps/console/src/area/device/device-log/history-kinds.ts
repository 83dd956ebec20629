import type { DeviceLogKind } from '@carillon/contracts';

/** What a device's history is filtered by, in the order of the buttons. */
export const historyGroups = ['state', 'tasks', 'moves', 'owners', 'lines', 'changes'] as const;
export type HistoryGroup = (typeof historyGroups)[number];

const groupOf: Readonly<Record<DeviceLogKind, HistoryGroup>> = {
  online: 'state',
  offline: 'state',
  boot: 'state',
  reboot: 'state',
  factoryReset: 'state',
  tamper: 'state',
  sharedIdentity: 'state',
  task: 'tasks',
  moved: 'moves',
  added: 'owners',
  restored: 'owners',
  deleted: 'owners',
  handedOver: 'owners',
  replaced: 'owners',
  replaces: 'owners',
  line: 'lines',
  registrationFailed: 'lines',
  account: 'lines',
  changed: 'changes',
  secret: 'changes',
  firmware: 'changes',
  config: 'changes',
  drift: 'changes',
};
export const allKinds = Object.keys(groupOf) as DeviceLogKind[];

/** Returns the kinds of entries of a group. */
export const kindsOf = (group: string): DeviceLogKind[] => allKinds.filter((kind) => groupOf[kind] === group);

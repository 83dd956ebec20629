import { alarmKinds, firmwareKind, noticeTypes } from '@carillon/contracts/message';

/** Alarms of devices, and notices about them. */
export const kinds = { ...alarmKinds, firmware: firmwareKind, sync: noticeTypes.sync } as const;
export const kindNames = Object.fromEntries(
  Object.entries(kinds).map(([name, kind]) => [String(kind), name]),
) as Record<string, keyof typeof kinds>;

export const alarmLevels = ['high', 'medium', 'low'] as const;
export type AlarmLevel = (typeof alarmLevels)[number];

/** Types of messages that are no alarm (spec, section 3). */
export const noticeTypes = { firmware: -2, sync: -3, valueAddedCertificate: -4, basicCertificate: -5 } as const;
/** Alarm kinds; any other kind of 0 or more is a firmware update. */
export const alarmKinds = {
  registrationFailed: 0,
  storage: 2,
  factoryReset: 3,
  reboot: 4,
  taskFailed: 5,
  offline: 6,
  tamper: 9,
} as const;

/** Any kind of 0 or more that has no name: what is raised for a firmware update. */
export const firmwareKind = 1;

/** What alarms of one kind have in common, by which they are one line. */
export const alarmCauses = ['server', 'site', 'gateway', 'none'] as const;
export type AlarmCause = (typeof alarmCauses)[number];

/** `told` is what is no state of a device, as a task that failed. */
export const alarmStates = ['open', 'acknowledged', 'silenced', 'ended', 'told'] as const;
export type AlarmState = (typeof alarmStates)[number];

/** Why an alarm is over: its cause is, somebody saw to an event, an event is old, or its device is gone. */
export const alarmEnds = ['over', 'acknowledged', 'aged', 'deleted'] as const;
export type AlarmEnd = (typeof alarmEnds)[number];

/** When an email notice is sent (spec, section 3): when something happens, or once a day. */
export const sendTypes = ['immediate', 'timed'] as const;

export * from './webhook.schemas.ts';

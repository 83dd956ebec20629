export const alarmLevels = ['high', 'medium', 'low'] as const;
export type AlarmLevel = (typeof alarmLevels)[number];

/** Types of messages that are not alarms (NOTE-03). */
export const noticeTypes = { firmware: -2, sync: -3, valueAddedCertificate: -4, basicCertificate: -5 } as const;
/** Alarm kinds; any other kind of 0 or more is a firmware update. */
export const alarmKinds = {
  registrationFailed: 0,
  storage: 2,
  factoryReset: 3,
  reboot: 4,
  taskFailed: 5,
  offline: 6,
  configDrift: 7,
  tamper: 9,
} as const;

/** Kind of a firmware update alarm: any kind of 0 or more that has no name. */
export const firmwareKind = 1;

/** What alarms of one kind have in common: equal causes form one group. */
export const alarmCauses = ['server', 'site', 'gateway', 'none'] as const;
export type AlarmCause = (typeof alarmCauses)[number];

/** `told` is an event that is not a state of a device, for example a failed task. */
export const alarmStates = ['open', 'acknowledged', 'silenced', 'ended', 'told'] as const;
export type AlarmState = (typeof alarmStates)[number];

/**
 * Why an alarm ended: its cause ended, a user acknowledged the event, the event is too old, or its device was deleted.
 */
export const alarmEnds = ['over', 'acknowledged', 'aged', 'deleted'] as const;
export type AlarmEnd = (typeof alarmEnds)[number];

/** When an email notice is sent (NOTE-03): immediately, or once a day. */
export const sendTypes = ['immediate', 'timed'] as const;

export * from './webhook.schemas.ts';

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

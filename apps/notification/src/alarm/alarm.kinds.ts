import { alarmKinds, firmwareKind, type AlarmLevel } from '@carillon/contracts';

interface Kind {
  level: AlarmLevel;
  /** An occurrence instead of a state of the device: it ends when it is acknowledged, or by age. */
  event?: true;
}

/** Kinds raised here, with their default levels (NOTE-01). */
export const raisedKinds: Readonly<Record<number, Kind>> = {
  [alarmKinds.registrationFailed]: { level: 'high' },
  [firmwareKind]: { level: 'low', event: true },
  [alarmKinds.factoryReset]: { level: 'medium', event: true },
  [alarmKinds.reboot]: { level: 'low', event: true },
  [alarmKinds.offline]: { level: 'medium' },
  [alarmKinds.configDrift]: { level: 'medium' },
  [alarmKinds.tamper]: { level: 'high', event: true },
};

export const eventKinds = Object.keys(raisedKinds)
  .map(Number)
  .filter((kind) => raisedKinds[kind]!.event);

/** Alarm kinds that a command explains, by action: they raise no alarm then. */
export const orderedKinds: Readonly<Record<string, readonly number[]>> = {
  reboot: [alarmKinds.reboot],
  factoryReset: [alarmKinds.factoryReset, alarmKinds.reboot],
  firmwareUpgrade: [firmwareKind, alarmKinds.reboot],
};

import { alarmKinds, firmwareKind, type AlarmLevel } from '@carillon/contracts';

interface Kind {
  level: AlarmLevel;
  /** Something that happened, and no state of the device: it ends when somebody has seen to it, or by its age. */
  event?: true;
}

/** What is raised here, with its level where no rule says otherwise (spec, section 3). */
export const raisedKinds: Readonly<Record<number, Kind>> = {
  [alarmKinds.registrationFailed]: { level: 'high' },
  [firmwareKind]: { level: 'low', event: true },
  [alarmKinds.factoryReset]: { level: 'medium', event: true },
  [alarmKinds.reboot]: { level: 'low', event: true },
  [alarmKinds.offline]: { level: 'medium' },
  [alarmKinds.tamper]: { level: 'high', event: true },
};

export const eventKinds = Object.keys(raisedKinds)
  .map(Number)
  .filter((kind) => raisedKinds[kind]!.event);

/** What a device does because it was told to, by the action: it is history, and no alarm. */
export const orderedKinds: Readonly<Record<string, readonly number[]>> = {
  reboot: [alarmKinds.reboot],
  factoryReset: [alarmKinds.factoryReset, alarmKinds.reboot],
  firmwareUpgrade: [firmwareKind, alarmKinds.reboot],
};

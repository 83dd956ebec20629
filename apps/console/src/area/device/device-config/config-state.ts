import type { DeviceRecord } from '@carillon/contracts';
import type { DeviceConfig } from '../record/device-config.calls.ts';

export type ConfigState = 'current' | 'waiting' | 'drifted' | 'other' | 'unmade';

/** A version of a configuration that was made from templates; a file has another form. */
const made = /^t[0-9a-f]{11}$/;

/** Returns how far a device is with what it is to have: it may still have an earlier one of the templates. */
export function configState(
  { configVersion: reported, configDriftedAt }: Pick<DeviceRecord, 'configVersion' | 'configDriftedAt'>,
  { version }: Pick<DeviceConfig, 'version'>,
): ConfigState {
  if (version === null) return 'unmade';
  if (reported === version) return 'current';
  if (configDriftedAt !== null) return 'drifted';
  return reported === null || made.test(reported) ? 'waiting' : 'other';
}

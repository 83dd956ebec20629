import type { DeviceRecord } from '@carillon/contracts';
import type { DeviceConfig } from './device-config.calls.ts';

export type ConfigState = 'current' | 'waiting' | 'loaded' | 'other';

/**
 * Returns how far a device is with what it is to have. A device that reports the version that it loaded last has an
 * earlier one of ours; one without a report may have loaded the file all the same.
 */
export function configState(
  { configVersion: reported }: Pick<DeviceRecord, 'configVersion'>,
  { version, loadedVersion }: Pick<DeviceConfig, 'version' | 'loadedVersion'>,
): ConfigState {
  if (reported === version) return 'current';
  if (reported === null) return loadedVersion === version ? 'loaded' : 'waiting';
  return reported === loadedVersion ? 'waiting' : 'other';
}

import type { DeviceRecord } from '@carillon/contracts';
import type { DeviceConfig } from './device-config.calls.ts';

export type ConfigState = 'current' | 'waiting' | 'other';

/**
 * Returns how far a device is with what it is to have. A device that reports the version that it loaded last has an
 * earlier one of the templates.
 */
export function configState(
  { configVersion: reported }: Pick<DeviceRecord, 'configVersion'>,
  { version, loadedVersion }: Pick<DeviceConfig, 'version' | 'loadedVersion'>,
): ConfigState {
  if (reported === version) return 'current';
  return reported === null || reported === loadedVersion ? 'waiting' : 'other';
}

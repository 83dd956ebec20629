import type { DeviceAction } from './define.ts';
import { rebootDevice } from './reboot/reboot.device.ts';

/** What a simulated device can do, by action key; the console never loads this. */
export const deviceActions: Record<string, DeviceAction> = { reboot: rebootDevice as DeviceAction };

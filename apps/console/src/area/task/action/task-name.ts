import { builtTaskName } from '@carillon/contracts/task-name';
import { currentLanguage } from '../../../kit/browser/language.ts';

/** Returns the name that the product gives a task whose order has none. */
export const taskName = (action: string, devices: number, device?: string): string =>
  builtTaskName(
    currentLanguage(),
    action,
    devices === 1 && device !== undefined
      ? { code: 'device', device, restored: [] }
      : { code: 'devices', count: devices, restored: [] },
  );

import { count } from '../../../kit/text/text.ts';
import { t } from '../../../kit/text/translate.ts';

/** Returns the default name of a task. */
export const taskName = (action: string, devices: number, device?: string): string =>
  (devices === 1 && device !== undefined
    ? t('action.taskOne', { action, name: device })
    : t('action.task', { action, count: devices, number: count(devices) })
  )
    .slice(0, 64)
    .trim();

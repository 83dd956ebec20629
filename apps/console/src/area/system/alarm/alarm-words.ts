import { count } from '../../../kit/text/text.ts';
import { t } from '../../../kit/text/translate.ts';
import type { AlarmRecord } from './alarm.calls.ts';

/** Returns the common cause of a row's alarms. */
export const causeText = ({ cause, causeName }: AlarmRecord): string | null =>
  cause === 'none' ? null : t(`alarm.cause.${cause}`, { name: causeName ?? '' });
export const deviceText = ({ devices, objectName }: AlarmRecord): string | null =>
  objectName ?? (devices === 0 ? null : t('alarm.deviceCount', { count: devices, number: count(devices) }));

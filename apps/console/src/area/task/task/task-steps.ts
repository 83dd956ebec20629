import type { TaskDeviceRecord } from '@carillon/contracts';
import { moment } from '../../../kit/text/time.ts';
import { t } from '../../../kit/text/translate.ts';

/** Returns when the current try was sent to the device, and when the device accepted it. */
export function stepWords({ status, sentAt, acceptedAt }: TaskDeviceRecord): string | undefined {
  // A waiting device has the times of its last try, which has failed.
  if (sentAt === null || status === 'wait') return undefined;
  const sent = moment(sentAt);
  if (acceptedAt === null) return t('taskResult.told', { when: sent });
  const accepted = moment(acceptedAt);
  const isSameDay = sent.slice(0, 10) === accepted.slice(0, 10);
  return t('taskResult.accepted', { told: sent, when: isSameDay ? accepted.slice(11) : accepted });
}

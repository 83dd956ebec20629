import type { DeliveryEvent, DeliveryFault } from '@carillon/contracts';
import type { TextKey } from '../../../kit/text/key.ts';

export const eventWords = {
  'alarm.raised': 'webhook.alarmRaised',
  'alarm.ended': 'webhook.alarmEnded',
  'message.created': 'webhook.messageCreated',
  'webhook.test': 'webhook.testEvent',
} as const satisfies Record<DeliveryEvent, TextKey>;

export const faultWords = {
  status: 'webhook.fault.status',
  redirect: 'webhook.fault.redirect',
  timeout: 'webhook.fault.timeout',
  unreachable: 'webhook.fault.unreachable',
  certificate: 'webhook.fault.certificate',
  targetRefused: 'webhook.fault.targetRefused',
  off: 'webhook.fault.off',
} as const satisfies Record<DeliveryFault, TextKey>;

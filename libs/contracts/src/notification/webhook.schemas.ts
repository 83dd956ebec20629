/** What a webhook can be told of. */
export const webhookEvents = ['alarm.raised', 'alarm.ended', 'message.created'] as const;
export type WebhookEvent = (typeof webhookEvents)[number];
/** What somebody sends by hand, to see whether it arrives. */
export const webhookTestEvent = 'webhook.test';
export const deliveryEvents = [...webhookEvents, webhookTestEvent] as const;
export type DeliveryEvent = (typeof deliveryEvents)[number];

/** `gone`: its receiver said so, by 410; `failed`: days of nothing but failures. Both are off until somebody acts. */
export const webhookStates = ['working', 'failing', 'off', 'gone', 'failed'] as const;
export type WebhookState = (typeof webhookStates)[number];

export const deliveryStates = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Why an attempt is no delivery; `off`: its webhook was switched off before it was delivered. */
export const deliveryFaults = [
  'status',
  'redirect',
  'timeout',
  'unreachable',
  'certificate',
  'targetRefused',
  'off',
] as const;
export type DeliveryFault = (typeof deliveryFaults)[number];

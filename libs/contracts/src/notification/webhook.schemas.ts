/** Events that a webhook can select. */
export const webhookEvents = ['alarm.raised', 'alarm.ended', 'message.created'] as const;
export type WebhookEvent = (typeof webhookEvents)[number];
/** Event of a manual test. */
export const webhookTestEvent = 'webhook.test';
export const deliveryEvents = [...webhookEvents, webhookTestEvent] as const;
export type DeliveryEvent = (typeof deliveryEvents)[number];

/** `gone`: the receiver answered 410; `failed`: only failures for days. Both stay off until a user enables them. */
export const webhookStates = ['working', 'failing', 'off', 'gone', 'failed'] as const;
export type WebhookState = (typeof webhookStates)[number];

export const deliveryStates = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Why an attempt failed; `off`: the webhook was switched off before the delivery. */
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

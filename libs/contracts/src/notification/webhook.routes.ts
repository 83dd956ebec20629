import { z } from 'zod';
import { choice, filters, flag, moment, number, text } from '../define/filter.ts';
import { id, listOf, pageQuery, sortBy } from '../define/list.ts';
import { restoreBody, restoreDone } from '../define/restore.ts';
import { route } from '../define/route.ts';
import { alarmLevels } from './message.schemas.ts';
import { deliveryEvents, deliveryFaults, deliveryStates, webhookEvents, webhookStates } from './webhook.schemas.ts';

const kind = z.number().int().min(-99).max(999);

export const webhookRecord = z
  .object({
    id,
    name: z.string(),
    url: z.string(),
    events: z.array(z.enum(webhookEvents)),
    /** Empty: all. */
    kinds: z.array(kind),
    /** This level and higher ones. */
    level: z.enum(alarmLevels),
    enabled: z.boolean(),
    state: z.enum(webhookStates),
    organization: z.object({ id, name: z.string() }).nullable(),
    deliveredAt: z.string().nullable(),
    /** Since when all attempts have failed. */
    failingSince: z.string().nullable(),
    /** End of the time in which the previous secret also signs. */
    formerUntil: z.string().nullable(),
    updatedAt: z.string(),
  })
  .meta({ id: 'Webhook' });

const isUrl = (value: string): boolean => {
  const url = URL.parse(value);
  return (
    url !== null &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.username === '' &&
    url.password === '' &&
    url.hash === ''
  );
};
const given = {
  name: z.string().trim().min(1).max(64),
  url: z.string().trim().max(1024).refine(isUrl, { message: 'webhook.urlWrong' }),
  events: z.array(z.enum(webhookEvents)).min(1).max(webhookEvents.length),
  kinds: z.array(kind).max(20),
  level: z.enum(alarmLevels),
  enabled: z.boolean(),
};
const urlErrors = ['webhook.urlWrong', 'webhook.httpsNeeded', 'webhook.targetRefused'] as const;
/** `whsec_` and 32 bytes in base64, as in Standard Webhooks. */
const secret = z.string();

export const listWebhooks = route({
  method: 'GET',
  path: '/api/f/notification/webhook/list',
  summary: 'Webhooks, a page at a time',
  permission: 'webhook',
  audit: 'none',
  query: z.object({
    search: z.string().trim().max(128).optional(),
    ...filters({
      name: text(64),
      url: text(1024),
      event: choice(z.enum(webhookEvents)),
      state: choice(z.enum(webhookStates)),
      enabled: flag,
      updatedAt: moment,
    }),
    ...pageQuery,
    sort: sortBy(['name', 'url', 'state', 'level', 'deliveredAt', 'failingSince', 'updatedAt']),
  }),
  response: listOf(webhookRecord),
  errors: [],
});

export const getWebhook = route({
  method: 'GET',
  path: '/api/f/notification/webhook/{id}',
  summary: 'One webhook',
  permission: 'webhook',
  audit: 'none',
  params: z.object({ id }),
  response: webhookRecord,
  errors: [],
});

/** Adds a webhook for one organization, or without one for all that the caller sees. */
export const addWebhook = route({
  method: 'POST',
  path: '/api/f/notification/webhook',
  summary: 'Add a webhook; its secret is told in this answer only',
  permission: 'addWebhook',
  audit: 'webhook.add',
  status: 201,
  body: z.strictObject({ ...given, orgId: id.optional() }),
  response: webhookRecord.extend({ secret }),
  errors: [...urlErrors, 'webhook.tooMany'],
});

/** Edits a webhook. Enabling one that was switched off restarts its failure period. */
export const editWebhook = route({
  method: 'PUT',
  path: '/api/f/notification/webhook',
  summary: 'Edit a webhook',
  permission: 'editWebhook',
  audit: 'webhook.edit',
  body: z.strictObject({ id, ...given }),
  response: webhookRecord,
  errors: urlErrors,
});

/** Renews the secret. For a day requests are also signed with the previous one, so that a receiver can change over. */
export const renewWebhookSecret = route({
  method: 'POST',
  path: '/api/f/notification/webhook/{id}/secret',
  summary: 'Make a new secret for a webhook; it is told in this answer only',
  permission: 'editWebhook',
  audit: 'webhook.renewSecret',
  params: z.object({ id }),
  response: z.object({ secret, formerUntil: z.string() }),
  errors: [],
});

export const deleteWebhook = route({
  method: 'DELETE',
  path: '/api/f/notification/webhook',
  summary: 'Delete a webhook',
  permission: 'deleteWebhook',
  audit: 'webhook.delete',
  query: z.object({ id }),
  response: z.null(),
  errors: [],
});

export const restoreWebhooks = route({
  method: 'POST',
  path: '/api/f/notification/webhook/restore',
  summary: 'Take back a deletion of webhooks',
  permission: 'deleteWebhook',
  audit: 'webhook.restore',
  body: restoreBody,
  response: restoreDone,
  errors: ['common.restoreOver', 'webhook.tooMany'],
});

const attempt = z
  .object({
    at: z.string(),
    /** Status of the response; null: no response. */
    status: z.number().int().nullable(),
    ms: z.number().int(),
    /** Null: delivered. */
    fault: z.enum(deliveryFaults).nullable(),
    /** Beginning of the response body. */
    answer: z.string(),
  })
  .meta({ id: 'WebhookAttempt' });

/** Sends a test at once, whatever events the webhook selects and also while it is disabled. The delivery is logged. */
export const testWebhook = route({
  method: 'POST',
  path: '/api/f/notification/webhook/{id}/test',
  summary: 'Send a test to a webhook; answers what its receiver said',
  permission: 'editWebhook',
  audit: 'webhook.test',
  ownTransaction: true,
  params: z.object({ id }),
  response: attempt,
  errors: [],
});

export const webhookDeliveryRecord = z
  .object({
    /** Value of the header `webhook-id` in every attempt. */
    id,
    webhookId: id,
    webhookName: z.string(),
    event: z.enum(deliveryEvents),
    /** A device, or the object of a message. */
    about: z.string(),
    state: z.enum(deliveryStates),
    tries: z.number().int(),
    /** Result of the last attempt. */
    status: z.number().int().nullable(),
    ms: z.number().int().nullable(),
    fault: z.enum(deliveryFaults).nullable(),
    answer: z.string(),
    triedAt: z.string().nullable(),
    nextAt: z.string().nullable(),
    createdAt: z.string(),
  })
  .meta({ id: 'WebhookDelivery' });

export const listWebhookDeliveries = route({
  method: 'GET',
  path: '/api/f/notification/webhook/delivery/list',
  summary: 'What was sent to webhooks, a page at a time, the newest first',
  permission: 'webhook',
  audit: 'none',
  query: z.object({
    search: z.string().trim().max(128).optional(),
    ...filters({
      webhook: choice(id),
      event: choice(z.enum(deliveryEvents)),
      state: choice(z.enum(deliveryStates)),
      fault: choice(z.enum(deliveryFaults)),
      status: number,
      about: text(256),
      createdAt: moment,
    }),
    ...pageQuery,
    sort: sortBy(['createdAt', 'event', 'about', 'webhookName', 'state', 'status', 'tries', 'ms', 'triedAt', 'nextAt']),
  }),
  response: listOf(webhookDeliveryRecord),
  errors: [],
});

export const getWebhookDelivery = route({
  method: 'GET',
  path: '/api/f/notification/webhook/delivery/{id}',
  summary: 'One delivery of a webhook, with its body and its attempts',
  permission: 'webhook',
  audit: 'none',
  params: z.object({ id }),
  response: webhookDeliveryRecord.extend({ body: z.string(), attempts: z.array(attempt) }),
  errors: [],
});

/** Sends a delivery again, with the same id and body and a full number of attempts. */
export const sendWebhookAgain = route({
  method: 'POST',
  path: '/api/f/notification/webhook/delivery/{id}/again',
  summary: 'Send a delivery of a webhook again',
  permission: 'editWebhook',
  audit: 'webhook.sendAgain',
  params: z.object({ id }),
  response: z.null(),
  errors: ['webhook.off', 'webhook.underWay'],
});

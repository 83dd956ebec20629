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
    /** None: all. */
    kinds: z.array(kind),
    /** This and higher ones. */
    level: z.enum(alarmLevels),
    enabled: z.boolean(),
    state: z.enum(webhookStates),
    organization: z.object({ id, name: z.string() }).nullable(),
    deliveredAt: z.string().nullable(),
    /** Since when nothing was delivered and attempts failed. */
    failingSince: z.string().nullable(),
    /** The end of the time in which the former secret signs, too. */
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
/** `whsec_` and 32 bytes in base64, as Standard Webhooks has it. */
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

/** Of one organization, or without it of all that the caller sees. */
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

/** To enable one that was switched off gives it as long again. */
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

/** For a day what is sent is signed by the former one, too, so that a receiver can change over. */
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
    /** What the receiver answered; null: nothing. */
    status: z.number().int().nullable(),
    ms: z.number().int(),
    /** Null: it was delivered. */
    fault: z.enum(deliveryFaults).nullable(),
    /** The beginning of the answer. */
    answer: z.string(),
  })
  .meta({ id: 'WebhookAttempt' });

/** Sent at once, whatever the webhook is told of and also while it is disabled. It stands in the log, too. */
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
    /** The header `webhook-id` of each of its attempts. */
    id,
    webhookId: id,
    webhookName: z.string(),
    event: z.enum(deliveryEvents),
    /** A device, or what a message is about. */
    about: z.string(),
    state: z.enum(deliveryStates),
    tries: z.number().int(),
    /** Of the last attempt. */
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

/** With the same id and body, and as many attempts as a new one has. */
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

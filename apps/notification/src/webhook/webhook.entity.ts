import { defineEntity, p } from '@mikro-orm/postgresql';
import {
  alarmLevels,
  languages,
  type DeliveryEvent,
  type DeliveryState,
  type RouteReturn,
  type testWebhook,
  type WebhookEvent,
} from '@carillon/contracts';
import { changedInstant, instant, tenant, tenantProperties } from '@carillon/persistence';

export type Attempt = RouteReturn<typeof testWebhook>;

/** A webhook (NOTE-05). Without an organization it covers all, and is visible to users who see all. */
const WebhookSchema = defineEntity({
  name: 'Webhook',
  tableName: 'webhook',
  // Each alarm and message looks up those of its company.
  indexes: [{ name: 'webhook_company', expression: 'create index webhook_company on webhook (company_id)' }],
  ...tenant({ organization: true }),
  properties: {
    ...tenantProperties,
    orgId: p.uuid().strictNullable(),
    name: p.string().length(64),
    url: p.string().length(1024),
    events: p.array().columnType('text[]').$type<WebhookEvent[]>(),
    kinds: p.array().columnType('int[]').$type<number[]>(),
    level: p.enum(alarmLevels),
    enabled: p.boolean(),
    /** Why it is off, when no user switched it off. */
    off: p.string().$type<'gone' | 'failed'>().length(8).strictNullable(),
    /** Language of titles and texts: that of its creator. */
    language: p.enum(languages),
    sealed: p.text(),
    /** Previous secret, which also signs until then. */
    formerSealed: p.text().strictNullable(),
    formerUntil: instant(3).strictNullable(),
    deliveredAt: instant(3).strictNullable(),
    failingSince: instant(3).strictNullable(),
    updatedAt: changedInstant(3),
  },
});
export class Webhook extends WebhookSchema.class {}
WebhookSchema.setClass(Webhook);

/**
 * A delivery to a webhook, written in the transaction of its event. A sending process leases it for a while; if it
 * dies, the lease expires.
 */
const WebhookDeliverySchema = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_delivery',
  indexes: [
    {
      name: 'webhook_delivery_due',
      expression: `create index webhook_delivery_due on webhook_delivery (webhook_id, next_at, id)
        where (state = 'waiting'::text)`,
    },
    {
      name: 'webhook_delivery_leased',
      expression: `create index webhook_delivery_leased on webhook_delivery (leased_until)
        where (leased_until is not null)`,
    },
    {
      name: 'webhook_delivery_log',
      expression: 'create index webhook_delivery_log on webhook_delivery (company_id, created_at desc, id desc)',
    },
    {
      name: 'webhook_delivery_webhook',
      expression: 'create index webhook_delivery_webhook on webhook_delivery (webhook_id, created_at desc)',
    },
    { name: 'webhook_delivery_old', expression: 'create index webhook_delivery_old on webhook_delivery (created_at)' },
  ],
  ...tenant({ organization: true }),
  properties: {
    ...tenantProperties,
    orgId: p.uuid().strictNullable(),
    webhookId: p.uuid(),
    event: p.text().$type<DeliveryEvent>(),
    about: p.string().length(256),
    /** The signed bytes: the same for every attempt. */
    body: p.text(),
    state: p.text().$type<DeliveryState>(),
    tries: p.integer(),
    /** Attempts since the creation, or since the last manual resend. */
    round: p.integer(),
    nextAt: instant(3).strictNullable(),
    leasedUntil: instant(3).strictNullable(),
    /** The latest ones. */
    attempts: p.json<Attempt[]>(),
    createdAt: instant(3),
  },
});
export class WebhookDelivery extends WebhookDeliverySchema.class {}
WebhookDeliverySchema.setClass(WebhookDelivery);

import { afterAll, afterEach, expect } from 'vitest';
import { generate } from 'selfsigned';
import {
  addWebhook,
  alarmKinds,
  listWebhookDeliveries,
  message,
  type EventData,
  type RouteCall,
} from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { uuidv7 } from '@carillon/persistence';
import {
  eventually,
  startWebhookReceiver,
  type Actor,
  type ReceivedCall,
  type WebhookReceiver,
} from '@carillon/testing';
import { alarmRig } from '../alarm/alarm-test.ts';

export const settings = { outboundAllowed: '127.0.0.1, localhost', webhookTickMs: 20, webhookTimeoutMs: 1_000 };
export const tls = async () => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keySize: 2048,
    algorithm: 'sha256',
    extensions: [
      { name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] },
      { name: 'basicConstraints', cA: true },
    ],
  });
  return { key, cert };
};

export type Body = RouteCall<typeof addWebhook>['body'];
export const bodyOf = ({ name, url, events, kinds, level, enabled }: Body) => ({
  name,
  url,
  events,
  kinds,
  level,
  enabled,
});

async function openWebhooks() {
  const open: WebhookReceiver[] = [];
  const example = new URL('../../../../docs/examples/verify-webhook.mjs', import.meta.url).href;
  const { verifyWebhook } = (await import(example)) as {
    /** The check that docs/webhooks.md gives to receivers. */
    verifyWebhook: (secret: string, headers: object, body: string, nowSeconds?: number) => boolean;
  };
  const trusted = await tls();
  const rig = await alarmRig({ ...settings, smtpHost: 'localhost', smtpCa: trusted.cert });
  afterEach(async () => {
    await rig.sql('delete from webhook');
    await rig.sql('delete from webhook_delivery');
    await Promise.all(open.splice(0).map((r) => r.close()));
  });
  afterAll(() => rig.close());
  return { verifyWebhook, trusted, rig, open };
}

function webhookCalls({ verifyWebhook, rig, open }: Awaited<ReturnType<typeof openWebhooks>>) {
  const receiver = async (secure?: { key: string; cert: string }) => {
    const one = await startWebhookReceiver(secure);
    open.push(one);
    return one;
  };
  const add = (url: string, given: Partial<Body> = {}, as: Actor = rig.actor) =>
    rig.service.as(as)(addWebhook, {
      body: {
        name: 'Duty',
        url,
        events: ['alarm.raised', 'alarm.ended', 'message.created'],
        kinds: [],
        level: 'low',
        enabled: true,
        ...given,
      },
    });
  const say = async (given: Partial<EventData<typeof message, 'message'>> = {}, companyId = rig.actor.companyId) => {
    const data: EventData<typeof message, 'message'> = {
      type: alarmKinds.taskFailed,
      level: 'high',
      objectId: uuidv7(),
      objectName: 'Reboot all',
      orgId: null,
      expiresAt: null,
      values: { count: 2, total: 9 },
      ...given,
    };
    await rig.bus.publish([toRecord(message, companyId, data, envelope('message', { companyId }))]);
  };
  const genuine = (secret: string, { headers, body }: ReceivedCall) => verifyWebhook(secret, headers, body);
  const deliveries = async (query: object = {}, as = rig.actor) =>
    (await rig.service.as(as)(listWebhookDeliveries, { query })).records;
  /** Waits until the only delivery has this state. */
  const delivery = (state: string) =>
    eventually(async () => {
      const [one] = await deliveries();
      expect(one).toMatchObject({ state });
      return one!;
    });
  return { receiver, add, say, genuine, deliveries, delivery };
}

/** Starts notification for webhooks to this machine. Deletes them after each test. */
export async function startWebhooks() {
  const opened = await openWebhooks();
  return { ...opened, ...webhookCalls(opened) };
}

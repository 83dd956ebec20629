import type { Page } from 'playwright-core';
import { visit } from '../visit.ts';
import { device, dialog, fill, firstRow, instead, nothing, type Screen } from './screen.ts';

/** Webhooks in each of their states with deliveries, for an installation that may have none. */
const webhook = {
  id: '019a0000-0000-7000-8000-00000000e001',
  name: 'Duty desk',
  url: 'https://hooks.example.com/carillon',
  events: ['alarm.raised', 'alarm.ended'],
  kinds: [],
  level: 'medium',
  enabled: true,
  state: 'working',
  organization: null,
  deliveredAt: '2026-11-22T09:41:00.000Z',
  failingSince: null,
  formerUntil: null,
  updatedAt: '2026-11-22T09:41:00.000Z',
};
const webhookSecret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const delivery = {
  id: '019a0000-0000-7000-8000-00000000e101',
  webhookId: webhook.id,
  webhookName: webhook.name,
  event: 'alarm.raised',
  about: 'Reception desk 1',
  state: 'waiting',
  tries: 2,
  status: 503,
  ms: 412,
  fault: 'status',
  answer: 'Service unavailable: the queue is full.',
  triedAt: '2026-11-22T09:41:06.000Z',
  nextAt: '2026-11-22T09:41:40.000Z',
  createdAt: '2026-11-22T09:41:00.000Z',
};
const webhooksAt = async (page: Page, path: string) => {
  const others = (['failing', 'off', 'gone', 'failed'] as const).map((state, n) => ({
    ...webhook,
    id: webhook.id.slice(0, -1) + String(n + 2),
    name: `${webhook.name} ${n + 2}`,
    state,
    enabled: state === 'failing',
  }));
  const log = [
    delivery,
    { ...delivery, id: `${delivery.id.slice(0, -1)}2`, event: 'message.created', state: 'delivered', status: 204 },
    { ...delivery, id: `${delivery.id.slice(0, -1)}3`, event: 'alarm.ended', state: 'failed', status: null },
    { ...delivery, id: `${delivery.id.slice(0, -1)}4`, event: 'webhook.test', state: 'delivered', status: 200 },
  ].map((d, n) => ({
    ...d,
    ...(d.state === 'waiting' ? {} : { nextAt: null }),
    ...(d.state === 'delivered' ? { fault: null, tries: 1, answer: '' } : {}),
    ...(n === 2 ? { fault: 'timeout', tries: 11, ms: 10_004, answer: '' } : {}),
  }));
  const records = [webhook, ...others];
  await instead(page, 'GET', '/api/f/notification/webhook/list', { ...nothing, records, total: records.length });
  const list = '/api/f/notification/webhook/delivery/list';
  await instead(page, 'GET', list, { ...nothing, records: log, total: log.length });
  await instead(page, 'GET', `/api/f/notification/webhook/delivery/${delivery.id}`, {
    ...delivery,
    attempts: [
      { at: '2026-11-22T09:41:00.100Z', status: null, ms: 10_002, fault: 'timeout', answer: '' },
      { at: '2026-11-22T09:41:06.000Z', status: 503, ms: 412, fault: 'status', answer: delivery.answer },
    ],
    body: JSON.stringify({
      type: 'alarm.raised',
      timestamp: delivery.createdAt,
      data: { kind: 'offline', level: 'medium', title: 'Device offline', count: 1, devices: [{ name: device.name }] },
    }),
  });
  await visit(page, path);
  return firstRow(page);
};
/** Chooses an action of the first webhook. */
const webhookAction = async (page: Page, icon: string) => {
  const row = await webhooksAt(page, '/system/webhook');
  await row.locator('button[aria-haspopup=menu]').last().click();
  await page.locator(`[role=menuitem]:has(.tabler-icon-${icon})`).click();
  await dialog(page).locator('form').waitFor();
};

export const webhookScreens: Screen[] = [
  { name: 'webhook-states', open: async (p) => void (await webhooksAt(p, '/system/webhook')) },
  {
    name: 'webhook-drawer',
    open: async (p) => {
      await (await webhooksAt(p, '/system/webhook')).locator('[data-name], button').first().click();
      await dialog(p).locator('tbody tr').first().waitFor();
    },
  },
  {
    name: 'webhook-secret',
    open: async (p) => {
      await instead(p, 'POST', '/api/f/notification/webhook', { ...webhook, secret: webhookSecret });
      await visit(p, '/system/webhook');
      await p.locator('main :is([data-id], h2)').first().waitFor();
      await p.locator('main header > :is(a, button):has(.tabler-icon-plus)').click();
      await p.locator('form').waitFor();
      await fill(p, { name: webhook.name, url: webhook.url });
      await p.locator('form button[type=submit]').click();
      await dialog(p).locator('code').waitFor();
    },
  },
  {
    name: 'webhook-wrong',
    open: async (p) => {
      await visit(p, '/system/webhook');
      await p.locator('main :is([data-id], h2)').first().waitFor();
      await p.locator('main header > :is(a, button):has(.tabler-icon-plus)').click();
      await p.locator('form').waitFor();
      await p.locator('form button[type=submit]').click();
      await p.locator('[aria-invalid=true]').first().waitFor();
    },
  },
  {
    name: 'webhook-test',
    open: async (p) => {
      await instead(p, 'POST', `/api/f/notification/webhook/${webhook.id}/test`, {
        at: '2026-11-22T09:41:00.000Z',
        status: 503,
        ms: 412,
        fault: 'status',
        answer: delivery.answer,
      });
      await webhookAction(p, 'send');
      await dialog(p).locator('form button[type=submit]').click();
      await dialog(p).locator('pre').waitFor();
    },
  },
  { name: 'webhook-renew', open: (p) => webhookAction(p, 'key') },
  {
    name: 'webhook-deliveries',
    route: '/system/webhook/deliveries',
    open: async (p) => void (await webhooksAt(p, '/system/webhook/deliveries')),
  },
  {
    name: 'webhook-deliveries-empty',
    open: async (p) => {
      await instead(p, 'GET', '/api/f/notification/webhook/delivery/list', nothing);
      await visit(p, '/system/webhook/deliveries');
      await p.locator('main h2').first().waitFor();
    },
  },
  {
    name: 'webhook-delivery',
    open: async (p) => {
      const row = await webhooksAt(p, '/system/webhook/deliveries');
      await row.locator('[data-name], button').first().click();
      await dialog(p).locator('pre').last().waitFor();
    },
  },
  {
    name: 'webhook-delivery-again',
    open: async (p) => {
      const row = await webhooksAt(p, '/system/webhook/deliveries');
      await row.locator('button:has(.tabler-icon-refresh), button[aria-haspopup=menu]').last().click();
      if ((await dialog(p).count()) === 0) await p.locator('[role=menuitem]:has(.tabler-icon-refresh)').click();
      await dialog(p).locator('form').waitFor();
    },
  },
];

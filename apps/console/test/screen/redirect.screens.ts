import type { Page } from 'playwright-core';
import { visit } from '../visit.ts';
import { device, dialog, instead, type Screen } from './screen.ts';

const id = (n: number) => `019a0000-0000-7000-8000-00000000d00${n}`;
const next = '2026-03-02T09:45:00.000Z';
const owned = 'Another account at the maker owns this device. Ask its former owner to release it there.';
const account = { secretSet: true, enabled: true, userName: 'harbor-hotels', failure: null, retryAt: null };
const counts = (registered: number, waiting: number, failed: number) => ({ registered, waiting, failed });

/** What a redirect service knows of a device: it failed, and is tried again. */
export const redirected = {
  kind: 'yealinkRps',
  enabled: true,
  state: 'failed',
  address: null,
  since: null,
  msg: 'The redirect service is not available at the moment.',
  retryAt: next,
};
const services = [
  {
    ...account,
    id: id(1),
    kind: 'fanvilFdps',
    address: 'https://fdps.fanvil.com/xmlrpc.php',
    devices: counts(1_284, 0, 0),
    updatedAt: device.createdAt,
  },
  {
    ...account,
    id: id(2),
    kind: 'yealinkRps',
    address: 'https://rps.yealink.com/xmlrpc',
    devices: counts(312, 27, 2),
    failure: { msg: redirected.msg, since: device.createdAt },
    retryAt: next,
    updatedAt: device.createdAt,
  },
];
const failed = ['Lobby', 'A phone with a long name at reception'].map((name, n) => ({
  id: id(n + 3),
  deviceId: device.id,
  name,
  mac: device.mac,
  state: 'failed',
  wanted: n === 0,
  msg: n === 0 ? owned : redirected.msg,
  retryAt: n === 0 ? null : next,
}));

const open = async (page: Page, records: readonly object[] = services) => {
  await instead(page, 'GET', '/api/f/provisioning/redirectService/list', {
    server: 'https://phones.example.com:8081',
    services: records,
  });
  await visit(page, '/system/redirectService');
  await page.locator('main section h2').first().waitFor();
};

export const redirectScreens: Screen[] = [
  { name: 'redirect-services', route: '/system/redirectService', open: (p) => open(p) },
  { name: 'redirect-services-none', open: (p) => open(p, []) },
  {
    name: 'redirect-service-add',
    open: async (p) => {
      await open(p, []);
      await p.locator('main section button').first().click();
      await dialog(p).locator('form').waitFor();
    },
  },
  {
    name: 'redirect-service-failed',
    open: async (p) => {
      const list = { records: failed, total: 2, current: 1, size: 50 };
      await instead(p, 'GET', '/api/f/provisioning/redirectService/device/list', list);
      await open(p);
      await p.locator('main section').nth(1).locator('button').last().click();
      await dialog(p).locator('li').nth(1).waitFor();
    },
  },
];

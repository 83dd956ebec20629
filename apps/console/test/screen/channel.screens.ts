import type { Page } from 'playwright-core';
import { visit } from '../visit.ts';
import { device, dialog, fill, firstRow, instead, lastOfRow, list, nothing, type Screen } from './screen.ts';

/** A line of stock, with a company one that was allocated to it. */
const stockOf = (n: number, company?: string) => ({
  id: `019a0000-0000-7000-8000-00000000010${n}`,
  mac: `0c383e557eb${n}`,
  model: 'X7A',
  order: 'PO-2026-0042',
  source: 'import',
  from: null,
  status: company === undefined ? 'unassigned' : 'assigned',
  inAt: '2026-11-24T08:00:00.000Z',
  assignedAt: company === undefined ? null : '2026-11-24T09:00:00.000Z',
  company: company === undefined ? null : { id: '019a0000-0000-7000-8000-000000000201', name: company },
  deviceId: null,
});
/** Mocks the channel orders of a reseller: some free, some with its channels. */
async function withOrders(p: Page): Promise<void> {
  const records = [stockOf(1, 'Harbor Hotels'), stockOf(2), { ...stockOf(3), deviceId: device.id }];
  const channels = [
    { id: '019a0000-0000-7000-8000-000000000201', name: 'Harbor Hotels', status: 'normal' },
    { id: '019a0000-0000-7000-8000-000000000202', name: 'A hospital group with a long name', status: 'normal' },
  ];
  const at = '/api/f/device/channelOrder';
  await instead(p, 'GET', `${at}/list`, { records, total: 3, current: 1, size: 20 });
  await instead(p, 'GET', `${at}/count`, {
    total: 500,
    free: 197,
    inUse: 3,
    assigned: 300,
    channels: channels.map(({ id, name }, n) => ({ id, name, count: 200 - 100 * n })),
    stock: [{ model: 'X7A', order: 'PO-2026-0042', count: 197 }],
  });
  await instead(p, 'GET', `${at}/channel`, channels);
  await visit(p, '/channel/allocatedList');
  await p.locator('main [data-id]').first().waitFor();
}
/** Mocks delivered devices: one that a company claimed, and a free one. */
async function withDeliveries(p: Page): Promise<void> {
  const { id, mac, inAt, assignedAt, company } = stockOf(1, 'A hospital group with a long name');
  const used = { id, mac, sn: 'FV-X7A-2026-000417', importedAt: inAt, state: 'claimed', company: company!.name };
  const free = { ...used, id: stockOf(2).id, mac: stockOf(2).mac, state: 'free', company: null, claimedAt: null };
  const records = [{ ...used, claimedAt: assignedAt }, free];
  await instead(p, 'GET', '/api/f/device/delivery/list', { records, total: 2, current: 1, size: 20 });
  await visit(p, '/system/company/delivery');
  await p.locator('main [data-id]').first().waitFor();
}
/** Mocks the limits of a channel, which differ from those of the installation's own company without a parent. */
const asChannel = (p: Page) =>
  instead(p, 'GET', '/api/f/org/channel/room', {
    createSubLimit: 25,
    subsLeft: 12,
    fcsLimit: 400,
    fcsLeft: 120,
    licenseGranting: true,
    fcsEnabled: true,
    localSync: false,
    top: false,
    addresses: true,
  });

export const channelScreens: Screen[] = [
  {
    name: 'sub-channels',
    route: '/channel/boundChannelList',
    open: async (p) => {
      await asChannel(p);
      await visit(p, '/channel/boundChannelList');
      await p.locator('main :is([data-id], h2)').first().waitFor();
      await p.locator('main button:has(.tabler-icon-key)').waitFor();
    },
  },
  {
    name: 'sub-channels-empty',
    open: async (p) => {
      await instead(p, 'GET', '/api/f/org/channel/list', nothing);
      await visit(p, '/channel/boundChannelList');
      await p.locator('main h2').first().waitFor();
    },
  },
  {
    name: 'sub-channel-drawer',
    open: async (p) => {
      await asChannel(p);
      await visit(p, '/channel/boundChannelList');
      await (await firstRow(p)).locator('[data-name], button').first().click();
      await dialog(p).locator('dl').first().waitFor();
    },
  },
  {
    name: 'sub-channel-unbind',
    wide: true,
    open: async (p) => {
      await asChannel(p);
      await visit(p, '/channel/boundChannelList');
      await firstRow(p);
      await lastOfRow(p);
    },
  },
  ...[
    ['sub-channel-bind', 'link'],
    ['sub-channel-offer', 'key'],
  ].map(([name, icon]): Screen => ({
    name: name!,
    open: async (p) => {
      await asChannel(p);
      await visit(p, '/channel/boundChannelList');
      await p.locator(`main button:has(.tabler-icon-${icon})`).first().click();
      await dialog(p).locator('form').waitFor();
    },
  })),
  {
    name: 'sub-channel-offered',
    open: async (p) => {
      const made = { code: 'K7QM-2XWD-9HPA-VT4C', expiresAt: '2026-11-25T10:00:00.000Z' };
      await asChannel(p);
      await instead(p, 'POST', '/api/f/org/channel/code', made, 201);
      await visit(p, '/channel/boundChannelList');
      await p.locator('main button:has(.tabler-icon-key)').first().click();
      await dialog(p).locator('button[type=submit]').click();
      await dialog(p).locator('code').waitFor();
    },
  },
  {
    name: 'channel-statistics',
    route: '/channel/statistics',
    open: async (p) => {
      const channel = (n: number, name: string, sums: object) => ({
        id: `019a0000-0000-7000-8000-00000000020${n}`,
        name,
        status: n === 3 ? 'locked' : 'normal',
        devices: 0,
        online: 0,
        offline: 0,
        abnormal: 0,
        notConfigured: 0,
        below: 0,
        belowAbnormal: 0,
        belowOffline: 0,
        ...sums,
      });
      const records = [
        channel(1, 'A hospital group with a long name', { devices: 12400, online: 12211, offline: 120, abnormal: 69 }),
        channel(2, 'Harbor Hotels', { devices: 320, online: 318, offline: 2, below: 1280, belowAbnormal: 14 }),
        channel(3, 'Lakeside School', {}),
      ];
      await instead(p, 'GET', '/api/f/device/channelStatistic/list', { records, total: 3, current: 1, size: 20 });
      await visit(p, '/channel/statistics');
      await p.locator('main [data-id]').first().waitFor();
    },
  },
  {
    name: 'channel-orders-full',
    open: withOrders,
  },
  ...[
    ['allocate', 1, 'building-skyscraper'],
    ['take-back', 0, 'arrow-back-up'],
    ['to-device', 1, 'device-landline-phone'],
  ].map(([name, row, icon]): Screen => ({
    name: `channel-order-${name}`,
    wide: true,
    open: async (p) => {
      await withOrders(p);
      await p
        .locator('main [data-id]')
        .nth(row as number)
        .locator('button[aria-haspopup=menu]')
        .click();
      await p.locator(`[role=menuitem]:has(.tabler-icon-${icon})`).click();
      await dialog(p).locator('form').waitFor();
    },
  })),
  {
    name: 'channel-order-used',
    wide: true,
    refused: true,
    open: async (p) => {
      await withOrders(p);
      const refusal = { error: 'channelOrder.inUse', msg: '1 of the chosen devices was in use.' };
      await instead(p, 'POST', '/api/f/device/channelOrder/allocate', refusal, 409);
      await p.locator('main [data-id]').nth(1).locator('button[aria-haspopup=menu]').click();
      await p.locator('[role=menuitem]:has(.tabler-icon-building-skyscraper)').click();
      await dialog(p).locator('[role=combobox], input[name=channelId]').first().click();
      await p.locator('[role=option]').first().click();
      await dialog(p).locator('button[type=submit]').click();
      await dialog(p).locator('input[type=radio]').first().waitFor();
    },
  },
  {
    name: 'channel-order-macs',
    open: async (p) => {
      await withOrders(p);
      await visit(p, '/channel/allocatedSubChannel');
      await p.locator('main input[value=mac] ~ label').click();
      await p.locator('[name=macs]').fill('0C:38:3E:55:7E:B1\n0C:38:3E:55:7E:BX');
      await p.locator('button[type=submit]').click();
      await p.locator('[aria-invalid=true]').first().waitFor();
    },
  },
  {
    name: 'channel-order-made',
    open: async (p) => {
      await withOrders(p);
      const secret = 'q83vEjRWeJASNFZ4kLzeL1cpZnlXTkUrQ1lYd1ZzQT8';
      const { id, mac, model } = stockOf(2);
      const devices = { made: 1, devices: [{ id, mac, model, name: 'X7A 7EB2', secret }] };
      const made = { ...devices, address: 'mqtts://devices.example.com' };
      await instead(p, 'POST', '/api/f/device/channelOrder/importToDevice', made, 201);
      await visit(p, '/channel/importToDevice');
      await p.locator('[name=number]').fill('1');
      await p.locator('button[type=submit]').click();
      await p.locator('main .tabler-icon-download').waitFor();
    },
  },
  {
    name: 'device-assign-channel',
    wide: true,
    open: async (p) => {
      await withOrders(p);
      await list(p);
      await p.locator('main [data-id] button[aria-haspopup=menu]').first().click();
      await p.locator('[role=menuitem]:has(.tabler-icon-building-skyscraper)').click();
      await dialog(p).locator('form').waitFor();
    },
  },
  {
    name: 'mac-disputes',
    open: async (p) => {
      const [one, two] = [stockOf(1, 'Harbor Hotels'), stockOf(2)];
      const claim = {
        id: two.id,
        name: 'A hospital group with a long name',
        model: 'X7A',
        proof: 'claim',
        at: two.inAt,
      };
      const held = { ...one.company!, since: one.inAt, connected: true };
      await instead(p, 'GET', '/api/f/device/macDispute/list', [{ mac: one.mac, holder: held, claims: [claim] }]);
      await visit(p, '/system/company');
      await p.locator('main button:has(.tabler-icon-gavel)').click();
      await dialog(p).locator('code').first().waitFor();
    },
  },
  {
    name: 'unclaimed-phones',
    open: async (p) => {
      const { mac, inAt } = stockOf(1);
      const asked = { maker: 'Yealink', times: 3, firstAt: inAt, lastAt: inAt };
      await instead(p, 'GET', '/api/f/provisioning/unclaimedPhone/list', [
        { ...asked, mac, userAgent: `Yealink SIP-T46U 108.86.0.90 ${mac}`, address: '203.0.113.7' },
        { ...asked, mac: '0c383e00aa07', userAgent: 'Fanvil X7A 2.12.16.17 0c383e00aa07', address: '2001:db8:1f:2::7' },
      ]);
      await visit(p, '/system/company');
      await p.locator('main button:has(.tabler-icon-device-landline-phone)').click();
      await dialog(p).locator('code').first().waitFor();
    },
  },
  {
    name: 'deliveries',
    route: '/system/company/delivery',
    open: (p) => withDeliveries(p),
  },
  {
    name: 'deliveries-empty',
    open: async (p) => {
      await instead(p, 'GET', '/api/f/device/delivery/list', nothing);
      await visit(p, '/system/company/delivery');
      await p.locator('main h2').first().waitFor();
    },
  },
  {
    name: 'delivery-delete',
    wide: true,
    open: async (p) => {
      await withDeliveries(p);
      await p.locator('main [data-id] button[aria-haspopup=menu]').last().click();
      await p.getByRole('menuitem').last().click();
      await dialog(p).locator('form').waitFor();
    },
  },
  {
    name: 'companies',
    route: '/system/company',
    open: async (p) => {
      await visit(p, '/system/company');
      await p.locator('[data-id]').first().waitFor();
    },
  },
  {
    name: 'company-dialog',
    open: async (p) => {
      await visit(p, '/system/company');
      await p.locator('[data-id]').first().waitFor();
      await p.locator('main header > button:has(.tabler-icon-plus)').click();
      await p.getByRole('dialog').locator('form').waitFor();
    },
  },
  {
    name: 'company-drawer',
    open: async (p) => {
      await visit(p, '/system/company');
      await p.locator('[data-id]').first().waitFor();
      await p.locator('[data-id]').first().click();
      await dialog(p).locator('code').waitFor();
    },
  },
  {
    name: 'company-made',
    open: async (p) => {
      await instead(p, 'POST', '/api/f/auth/company', { id: device.id, orgId: device.orgId, userId: device.id }, 201);
      await visit(p, '/system/company');
      await p.locator('[data-id]').first().waitFor();
      await p.locator('main header > button:has(.tabler-icon-plus)').click();
      await dialog(p).locator('form').waitFor();
      await fill(p, { name: 'Meridian Hotels', username: 'clara.weber', nickname: 'Clara Weber' });
      await dialog(p).locator('label[for$="-password"]').first().click();
      await p.locator('[name=oldEnough]').check();
      await dialog(p).locator('button[type=submit]').click();
      await dialog(p).locator('dl').waitFor();
    },
  },
];

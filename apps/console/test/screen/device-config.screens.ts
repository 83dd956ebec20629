import type { Page } from 'playwright-core';
import { configOutcomes } from '@carillon/contracts';
import { visit } from '../visit.ts';
import { firstDevice } from './device.screens.ts';
import { redirected } from './redirect.screens.ts';
import { changed, device, dialog, instead, type Screen } from './screen.ts';

export const general = {
  id: '019a0000-0000-7000-8000-00000000c001',
  name: 'Every phone',
  level: 'general',
  targetName: null,
};
const ofSite = {
  id: '019a0000-0000-7000-8000-00000000c003',
  name: 'Harbor Hotels',
  level: 'site',
  targetName: 'Harbor Hotels',
};
const ofCompany = { ...general, id: '019a0000-0000-7000-8000-00000000c004', name: 'Harbor Hotels Management' };
export const ofModel = {
  id: '019a0000-0000-7000-8000-00000000c002',
  name: 'Reception phones X7A',
  level: 'model',
  targetName: 'X7A',
};
export const values = {
  'phone.language': 'pt',
  'screen.backlight': 120,
  'time.server': 'ntp.harbor-hotels.example',
  'time.format': '24',
  'network.lldp': true,
};
export const effect = {
  devices: 1284,
  changed: 1220,
  settings: [
    {
      key: 'screen.backlight',
      changed: 1220,
      overridden: 64,
      lock: { company: 'Harbor Hotels Management' },
      changes: [
        { before: 120, after: 3600, devices: 1200 },
        { before: null, after: 3600, devices: 15 },
      ],
    },
  ],
};
const ann = { label: 'Reception', user: '2001', server: 'pbx.harbor-hotels.example' };
const period = { from: device.createdAt, until: device.createdAt, version: 't8ac20b1f3d4', known: true, changes: null };
/** The configurations that a device had. */
const former = [
  {
    ...period,
    id: '019a0000-0000-7000-8000-00000000c011',
    way: 'link',
    until: null,
    changes: {
      settings: [
        { key: 'screen.backlight', before: 45, after: 120, template: { ...ofModel, version: 7 } },
        { key: 'time.server', before: null, after: 'ntp.harbor-hotels.example', template: { ...ofModel, version: 7 } },
      ],
      lines: [
        { line: 2, before: ann, after: ann, fields: ['password'], account: { id: device.id, name: 'Reception' } },
      ],
    },
  },
  { ...period, id: '019a0000-0000-7000-8000-00000000c012', way: 'http' },
  { ...period, id: '019a0000-0000-7000-8000-00000000c013', way: 'link', version: '0000000000c3.7', known: false },
];
/** A former configuration beside the present one, with the template that restores it. */
const beside = {
  settings: [
    { key: 'screen.backlight', before: 45, after: 120 },
    { key: 'time.server', before: null, after: 'ntp.harbor-hotels.example' },
  ],
  lines: [
    { line: 2, before: ann, after: null, fields: ['label', 'user', 'password', 'server'] },
    { line: 3, before: ann, after: ann, fields: ['password'] },
  ],
  restore: { template: null, version: null, name: device.name, description: '', values: { 'screen.backlight': 45 } },
  remaining: ['time.server'],
};

const waitingPhone = (address: string, id: string) => ({
  id,
  address,
  userAgent: `Yealink SIP-T46U 108.86.0.90 ${device.mac}`,
  times: 3,
  lastAt: device.createdAt,
});

/** Opens a device with its configuration, which it may not have loaded yet. */
const configured = async (page: Page, change: object = {}) => {
  const id = await firstDevice(page);
  await instead(page, 'GET', `/api/f/provisioning/deviceConfig/${id}`, {
    version: 't8ac20b1f3d4',
    changedAt: device.createdAt,
    values: Object.entries(values).map(([key, value]) => ({
      key,
      value,
      template: key === 'network.lldp' ? general : key === 'time.server' ? ofCompany : ofModel,
      lock: key === 'network.lldp' ? 'template' : key === 'time.server' ? 'company' : null,
      overridden:
        key === 'screen.backlight' ? [45, 24].map((value, i) => ({ value, template: [ofSite, general][i] })) : [],
    })),
    lines: [1, 2, 7, 8].map((line) => ({
      line,
      account: { id: device.id, name: 'Reception', number: `200${line}` },
      server: 'PBX',
    })),
    emptied: [3],
    beyondModel: ['key.side.1.9', 'key.dss.2.1'],
    withoutName: ['network.lldp', 'time.format', 'key.side.1.2'],
    linesWithoutName: [7, 8],
    loadedAt: device.createdAt,
    loadedVersion: 't8ac20b1f3d4',
    ...change,
  });
  const request = {
    userAgent: `Fanvil X7A 2.12.16.17 ${device.mac}`,
    address: '2001:db8::1f',
    firstAt: device.createdAt,
  };
  await instead(
    page,
    'GET',
    `/api/f/provisioning/deviceConfig/${id}/request`,
    configOutcomes.map((outcome, i) => ({
      ...request,
      outcome,
      file: `${device.mac}.${outcome === 'otherFile' ? 'boot' : 'cfg'}`,
      times: 12_345 - i,
      lastAt: device.createdAt,
    })),
  );
  await instead(page, 'GET', `/api/f/provisioning/deviceConfig/${id}/firstAccess`, {
    server: 'https://phones.example.com:8081',
    openUntil: null,
    network: null,
    endedAt: null,
    asks: [waitingPhone('203.0.113.7', general.id), waitingPhone('2001:db8:1f:2::a07c', ofSite.id)],
  });
  await instead(page, 'GET', `/api/f/provisioning/deviceConfig/${id}/redirect`, redirected);
  const periods = `/api/f/provisioning/deviceConfig/${id}/period`;
  await instead(page, 'GET', periods, former);
  for (const { id: period, ...one } of former) {
    const { changes: _, ...shown } = one;
    const differing = one.known ? beside : { settings: [], lines: [], restore: null, remaining: [] };
    await instead(page, 'GET', `${periods}/${period}`, { id: period, ...shown, ...differing });
  }
  await visit(page, `/device/deviceDetail?id=${id}`);
  const card = page.locator('main section[aria-busy=false]');
  await card.waitFor();
  await card.scrollIntoViewIfNeeded();
  return { id, card };
};
const reported = async (page: Page, configVersion: string | null) => {
  const id = await firstDevice(page);
  await changed<object>(page, `/api/f/device/device/${id}`, (data) => ({ ...data, configVersion }));
};

export const deviceConfigScreens: Screen[] = [
  {
    name: 'device-config',
    open: async (p) => {
      await reported(p, 't8ac20b1f3d4');
      await configured(p);
    },
  },
  {
    name: 'device-config-requests',
    open: async (p) => {
      const { card } = await configured(p, {
        version: null,
        changedAt: null,
        values: [],
        lines: [],
        withoutName: null,
      });
      await card.locator('time').nth(4).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'device-config-other',
    open: async (p) => {
      await reported(p, '0000000000c3.7');
      await configured(p, { withoutName: null, linesWithoutName: [], loadedAt: null, loadedVersion: null });
    },
  },
  {
    name: 'waiting-phones',
    open: async (p) => {
      const { id, mac, model } = device;
      const named = (name: string) => ({ id, name, mac, model });
      await instead(p, 'GET', '/api/f/provisioning/firstAccess/list', [
        { ...waitingPhone('203.0.113.7', general.id), device: named('Lobby') },
        {
          ...waitingPhone('2001:db8:1f:2::a07c', ofSite.id),
          device: named('A phone with a long name at reception'),
        },
      ]);
      await visit(p, '/setting/index');
      await p.locator('main button:has(.tabler-icon-device-landline-phone)').click();
      await dialog(p).locator('li').nth(1).waitFor();
    },
  },
  {
    name: 'device-config-drifted',
    open: async (p) => {
      const id = await firstDevice(p);
      const drifted = { configVersion: '0000000000c3.7', configDriftedAt: device.createdAt };
      await changed<object>(p, `/api/f/device/device/${id}`, (data) => ({ ...data, ...drifted }));
      await configured(p, { withoutName: null, linesWithoutName: [], loadedAt: null, loadedVersion: null });
    },
  },
  {
    name: 'device-config-address',
    open: async (p) => {
      await reported(p, null);
      const { id, card } = await configured(p, { loadedAt: null, loadedVersion: null });
      const folder = '/api/f/config/AZpxRXRcnSd7m4A7iRy-gcU2y80-3jcbO_ZvzcARBDYTSUg214CvA/';
      const address = { origin: 'https://phones.example.com:8081', folder, file: `${folder}${device.mac}.cfg` };
      await instead(p, 'GET', `/api/f/provisioning/deviceConfig/${id}/address`, address);
      await card.locator('button:has(.tabler-icon-link)').click();
      await card.locator('dl code').nth(1).waitFor();
      await card.locator('dl').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'device-config-none',
    open: async (p) => {
      await configured(p, {
        version: null,
        changedAt: null,
        values: [],
        lines: [],
        emptied: [],
        withoutName: null,
        linesWithoutName: [],
      });
    },
  },
  {
    name: 'device-config-send',
    open: async (p) => {
      const { card } = await configured(p);
      await card.locator('button:has(.tabler-icon-send)').click();
      await dialog(p).locator('form').waitFor();
    },
  },
  {
    name: 'device-config-former',
    open: async (p) => {
      await instead(p, 'GET', '/api/f/provisioning/configTemplate/preview', effect);
      const { card } = await configured(p);
      await card.locator('tbody button:has(time)').nth(1).click();
      await dialog(p).locator('form table').waitFor();
    },
  },
  {
    name: 'device-config-former-unknown',
    open: async (p) => {
      const { card } = await configured(p);
      await card.locator('tbody button:has(time)').nth(2).click();
      await dialog(p).locator('[aria-busy=false] p').waitFor();
    },
  },
];

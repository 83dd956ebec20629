import type { Page } from 'playwright-core';
import { settings } from '@carillon/contracts/settings';
import { visit } from '../visit.ts';
import { effect, ofModel, values } from './device-config.screens.ts';
import { device, dialog, fill, instead, nothing, type Screen } from './screen.ts';

const template = {
  ...ofModel,
  description: 'Lobby, bar and reception of all houses',
  target: 'X7A',
  models: null,
  values,
  locked: [],
  settings: Object.keys(values).length,
  devices: 1284,
  version: 7,
  updatedAt: device.createdAt,
};

const versions = [
  { version: 7, values, author: 'anna', reason: '', locked: [], backTo: 4, madeAt: device.createdAt },
  {
    version: 6,
    values: { 'phone.language': 'de', 'screen.backlight': 1, 'network.vlan': 120, 'network.lldp': true },
    author: 'support.harbor-hotels',
    reason: 'Ticket 4711: the phones of the bar moved to another network',
    locked: [],
    backTo: null,
    madeAt: device.createdAt,
  },
  ...[5, 4, 3, 2].map((version) => ({
    version,
    values: { 'network.vlan': version },
    author: 'anna',
    reason: '',
    locked: [],
    backTo: null,
    madeAt: device.createdAt,
  })),
  {
    version: 1,
    values: { 'network.vlan': 1 },
    author: '',
    reason: '',
    locked: [],
    backTo: null,
    madeAt: device.createdAt,
  },
];
/** What a company above and the template for all devices lock. */
const locks = [
  { key: 'screen.backlight', value: 120, company: 'Harbor Hotels Management' },
  { key: 'time.server', value: 'ntp.harbor-hotels.example', company: null },
  { key: 'phone.ringtone', value: 3, company: 'Harbor Hotels Management' },
];
/** Opens the drawer of a template with its versions. */
const drawer = async (page: Page, records = versions) => {
  await instead(page, 'GET', '/api/f/provisioning/configTemplate/list', { ...nothing, total: 1, records: [template] });
  await instead(page, 'GET', '/api/f/provisioning/configTemplate/version', {
    ...nothing,
    total: records.length,
    records,
  });
  await instead(page, 'GET', '/api/f/provisioning/configTemplate/preview', effect);
  await instead(page, 'GET', '/api/f/provisioning/configTemplate/lock', locks);
  await visit(page, `/setting?template=${template.id}`);
  await dialog(page).locator('table time').first().waitFor();
};

const macFile = {
  deviceId: device.id,
  deviceName: 'Reception of the house at the harbor',
  settings: 12,
  isChanged: true,
  error: null,
  msg: null,
};
/** Chooses two files in the dialog of the upload. */
const macFiles = async (page: Page) => {
  await visit(page, '/setting');
  await page.locator('main button:has(.tabler-icon-file-upload)').click();
  const files = ['0c383e000001.txt', '0c383e000002.txt'].map((name) => ({
    name,
    mimeType: 'text/plain',
    buffer: Buffer.from('time.format = 24'),
  }));
  await page.locator('input[type=file]').setInputFiles(files);
  await dialog(page).locator('button[data-disabled]').waitFor({ state: 'detached' });
};

export const configTemplateScreens: Screen[] = [
  {
    name: 'mac-file-dialog',
    open: macFiles,
  },
  {
    name: 'mac-file-results',
    open: async (p) => {
      const msg = 'Linha 12: não há um ajuste “screen.colour”.';
      const refused = { ...macFile, deviceId: null, deviceName: null, settings: 0, isChanged: false };
      await instead(p, 'POST', '/api/f/provisioning/macFile', {
        results: [
          ...[1, 2, 3].map((i) => ({ ...refused, name: `0c383e00000${i}.txt`, error: 'macFile.key', msg })),
          ...[4, 5, 6].map((i) => ({ ...macFile, name: `0c383e00000${i}.txt`, isChanged: i < 6 })),
        ],
      });
      await macFiles(p);
      await dialog(p).locator('button').last().click();
      await dialog(p).locator('tbody tr').nth(5).waitFor();
    },
  },
  {
    name: 'configTemplate-drawer',
    open: (p) => drawer(p),
  },
  {
    name: 'config-template-version',
    open: async (p) => {
      await drawer(p);
      await dialog(p).locator('table button').nth(1).click();
      await dialog(p).locator('form [name=reason]').waitFor();
      await dialog(p).locator('form [aria-busy=false] table').waitFor();
    },
  },
  {
    name: 'config-template-version-current',
    open: async (p) => {
      await drawer(p);
      await dialog(p).locator('table button').first().click();
      await dialog(p).nth(1).locator('table').waitFor();
    },
  },
  {
    name: 'config-template-version-only',
    open: async (p) => {
      await drawer(p, versions.slice(0, 1));
      await dialog(p).locator('table button').click();
      await dialog(p).nth(1).locator('table').waitFor();
    },
  },
  {
    name: 'config-template-add',
    route: '/setting/addTemplate',
    open: async (p) => {
      await visit(p, '/setting/addTemplate');
      await fill(p, { name: template.name });
      await p.locator('input[type=radio]').nth(4).check();
      for (const _ of Object.keys(settings)) {
        await p.locator('[data-add] input:not([type=hidden])').click();
        await p.getByRole('option').first().click();
      }
      await p.locator('[data-add]').waitFor({ state: 'detached' });
      await p.locator('[name="screen.backlight"]').fill('9999');
      await p.locator('[name="time.server"]').fill('');
      await p.locator('main button[type=submit]').click();
      await p.locator('[name="time.server"][aria-invalid=true]').waitFor();
    },
  },
  {
    name: 'config-template-add-setting',
    open: async (p) => {
      await visit(p, '/setting/addTemplate');
      await p.locator('main button[type=submit]').click();
      await p.locator('[data-add] [aria-invalid=true]').waitFor();
      await p.locator('[data-add] input:not([type=hidden])').click();
      await p.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'config-template-add-lock',
    open: async (p) => {
      await instead(p, 'GET', '/api/f/provisioning/configTemplate/lock', locks);
      await visit(p, '/setting/addTemplate');
      for (let n = 0; n < 3; n++) {
        await p.locator('[data-add] input:not([type=hidden])').click();
        await p.getByRole('option').first().click();
      }
      await p.locator('[data-setting] input[type=checkbox]').first().check();
    },
  },
  {
    name: 'config-template-add-device',
    open: async (p) => {
      await visit(p, '/setting/addTemplate');
      await p.locator('input[type=radio]').last().check();
      await p.locator('main button[type=submit]').click();
      await p.locator('div:has(+ input[name=target]) input[aria-invalid=true]').waitFor();
    },
  },
  {
    name: 'config-template-edit',
    route: '/setting/editTemplate',
    open: async (p) => {
      await instead(p, 'GET', `/api/f/provisioning/configTemplate/${template.id}`, template);
      await instead(p, 'GET', '/api/f/provisioning/configTemplate/preview', effect);
      await instead(p, 'GET', '/api/f/provisioning/configTemplate/lock', locks);
      await visit(p, `/setting/editTemplate?id=${template.id}`);
      await p.locator('[data-setting]').nth(4).waitFor();
      await p.locator('[name="screen.backlight"]').fill('3600');
      await p.locator('fieldset [aria-busy=false] table').waitFor();
    },
  },
  {
    name: 'task-add-config-templates',
    open: async (p) => {
      await visit(p, '/task/addTask?action=configUpdate');
      await p.locator('main form [role=status]').first().waitFor();
      await p.getByRole('combobox').nth(1).click();
      await p.getByRole('option').last().click();
    },
  },
];

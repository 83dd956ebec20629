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

/** Keys of a template, with long labels and one that the model does not have. */
const keys = {
  'key.side.1.1': { type: 'line', line: 1, value: '', label: '' },
  'key.side.1.2': { type: 'blf', line: 1, value: '201', label: 'Reception of the house' },
  'key.side.1.4': { type: 'forward', line: 1, value: '', label: '' },
  'key.side.1.7': { type: 'multicast', line: 1, value: '224.0.1.9:5004', label: 'All rooms' },
  'key.soft.1.1': { type: 'phonebook', line: 1, value: '', label: '' },
  'key.dss.1.1': { type: 'url', line: 1, value: 'https://doors.harbor-hotels.example/open?door=1', label: '' },
  'key.dss.1.5': { type: 'speedDial', line: 2, value: '+49401234567', label: 'Taxi' },
  'key.dss.9.1': { type: 'dnd', line: 1, value: '', label: '' },
};
const grid = (perPage: number, pages: number) => ({ perPage, pages, isKnown: true });
const keyLayout = {
  hiddenItems: ['doors', 'wifi'],
  areas: { side: grid(7, 3), dss: grid(12, 5), soft: grid(4, 1) },
  secondScreen: true,
  lines: 2,
};
/** Opens the form of a template with keys. */
const keyForm = async (page: Page, layout = keyLayout) => {
  const stored = { ...template, values: keys };
  await instead(page, 'GET', `/api/f/provisioning/configTemplate/${template.id}`, stored);
  await instead(page, 'GET', '/api/f/provisioning/configTemplate/lock', [
    { key: 'key.side.1.2', value: keys['key.side.1.1'], company: 'Harbor Hotels Management' },
  ]);
  await instead(page, 'GET', '/api/f/provisioning/configTemplate/keyLayout', layout);
  await instead(page, 'GET', '/api/f/provisioning/configTemplate/preview', { ...effect, settings: [] });
  await visit(page, `/setting/editTemplate?id=${template.id}`);
  await page.locator('[data-key]').nth(layout.areas.side.perPage).waitFor();
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
      const more = { 'phone.adminPassword': '019a0000-0000-7000-8000-00000000c0f2', 'network.wifi': true };
      const stored = { ...template, values: { ...values, ...more } };
      await instead(p, 'GET', `/api/f/provisioning/configTemplate/${template.id}`, stored);
      await instead(p, 'GET', '/api/f/provisioning/configTemplate/keyLayout', keyLayout);
      await instead(p, 'GET', '/api/f/provisioning/configTemplate/preview', effect);
      await instead(p, 'GET', '/api/f/provisioning/configTemplate/lock', locks);
      await visit(p, `/setting/editTemplate?id=${template.id}`);
      await p.locator('[data-setting]').nth(4).waitFor();
      await p.locator('[name="screen.backlight"]').fill('3600');
      await p.locator('fieldset [aria-busy=false] table').waitFor();
    },
  },
  {
    name: 'config-template-raw',
    open: async (p) => {
      const raw = {
        'raw.yealink.features.power_saving.enable': '1',
        'raw.yealink.static.network.vlan.pc_port_enable': '0',
      };
      const locked = ['raw.yealink.features.power_saving.enable'];
      const stored = { ...template, level: 'general', target: null, values: raw, locked };
      await instead(p, 'GET', `/api/f/provisioning/configTemplate/${template.id}`, stored);
      await instead(p, 'GET', '/api/f/provisioning/configTemplate/lock', []);
      await instead(p, 'GET', '/api/f/provisioning/configTemplate/preview', effect);
      await visit(p, `/setting/editTemplate?id=${template.id}`);
      await p.locator('[data-raw="1"] + button').click();
      await p.locator('[data-raw="2"] [data-name]').fill('static.security.user_password');
      await p.locator('main button[type=submit]').click();
      await p.locator('[data-raw="2"] [aria-invalid=true]').waitFor();
    },
  },
  {
    name: 'config-template-keys',
    open: async (p) => {
      await keyForm(p);
      await p.locator('[data-key="key.side.1.2"]').click();
      await p.locator('section input').last().waitFor();
    },
  },
  {
    name: 'config-template-keys-wrong',
    open: async (p) => {
      await keyForm(p, { ...keyLayout, areas: { ...keyLayout.areas, dss: grid(0, 0) }, secondScreen: false });
      await p.locator('[data-key="key.side.1.2"]').click();
      await p.locator('section input.mono').fill('<2>');
      await p.locator('main button[type=submit]').click();
      await p.locator('section [aria-invalid=true]').waitFor();
    },
  },
  {
    name: 'config-template-keys-general',
    open: async (p) => {
      await visit(p, '/setting/addTemplate');
      await p.locator('fieldset:has(.tabler-icon-keyboard) button').click();
      await p.locator('[data-key="key.dss.1.12"]').click();
      await p.locator('section input:not([type=hidden])').click();
      await p.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'config-template-keys-copy',
    open: async (p) => {
      await keyForm(p);
      await instead(p, 'GET', `/api/f/provisioning/configTemplate/${template.id}/keyCopy`, {
        template: { id: template.id, name: 'Desks of the administration', description: '', version: 3 },
        values: keys,
        carried: Object.keys(keys).slice(0, 5),
        replaced: ['key.side.1.1', 'key.side.1.2'],
        left: [
          { key: 'key.dss.1.1', reason: 'maker' },
          { key: 'key.dss.1.5', reason: 'place' },
          { key: 'key.dss.9.1', reason: 'place' },
        ],
      });
      await p.locator('main button:has(.tabler-icon-copy)').click();
      await dialog(p).locator('input').fill('SIP-T31P');
      await dialog(p).locator('li').last().waitFor();
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

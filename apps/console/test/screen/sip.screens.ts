import type { Page } from 'playwright-core';
import { visit } from '../visit.ts';
import { phonebookFiles } from '@carillon/contracts';
import { mock } from '../mock.ts';
import { device, dialog, firstRow, instead, nothing, type Screen } from './screen.ts';

/** Mocks a company that has FCS, or had it. */
const fcs = async (page: Page, room: { enabled: boolean; limit: number; used: number }) => {
  const server = { id: '019a0000-0000-7000-8000-0000000000f1', name: 'Bell Cloud' };
  const domain = room.limit > 0 ? 'harbor.fcs.example.com' : '';
  await instead(page, 'GET', '/api/f/provisioning/fcs', {
    ...room,
    domain,
    url: room.limit > 0 ? 'https://fcs.example.com' : '',
    servers: room.enabled ? [{ ...server, address: 'fcs.example.com', domain }] : [],
  });
  await instead(page, 'GET', '/api/f/provisioning/sipServer', [{ ...server, address: 'fcs.example.com', fcs: true }]);
  const passwords = { authPasswordSet: true, proxyPasswordSet: false, voicemailPasswordSet: false };
  const common = { orgId: server.id, site: null, authUser: '', proxyUser: '', voicemailNumber: '', ...passwords };
  const answer = { server, fcs: true, closed: !room.enabled, devices: [], updatedAt: '2026-11-22T09:41:00.000Z' };
  await instead(page, 'GET', '/api/f/provisioning/sipAccount/list', {
    ...nothing,
    total: 2,
    records: ['7000', '7001'].map((number) => ({
      ...common,
      ...answer,
      id: `019a0000-0000-7000-8000-00000000${number}`,
      name: `Reception ${number}`,
      number,
      displayName: 'Front desk',
      status: 'unassigned',
    })),
  });
};
/** Mocks an import whose rows have been checked. Stores nothing. */
const checkedImport = async (page: Page) => {
  const path = '/api/f/provisioning/import/sipServer';
  const id = '019a0000-0000-7000-8000-000000000003';
  const fields = ['name', 'address', 'port'].map((key) => ({
    key,
    title: key,
    required: key === 'name',
    secret: false,
    clears: false,
  }));
  const counts = { total: 3, checked: 3, add: 1, update: 1, unchanged: 0, wrong: 1, done: 0, undone: 0, kept: 0 };
  const createdAt = '2026-11-22T09:41:00.000Z';
  const made = {
    id,
    name: 'servers.xlsx',
    sheet: 'Sheet1',
    status: 'checked',
    fields,
    ignored: ['Floor'],
    counts,
    createdAt,
  };
  const row = { outcome: 'add', state: 'waiting', changes: [], errors: [] };
  const cells = { name: 'Main PBX', address: 'pbx.example.com', port: '5060' };
  await instead(page, 'POST', path, { headers: [], fields, mapping: {}, import: made }, 201);
  await instead(page, 'GET', `${path}/${id}`, made);
  await instead(page, 'GET', `${path}/${id}/row`, {
    ...nothing,
    total: 3,
    records: [
      { ...row, number: 2, cells },
      { ...row, number: 3, cells, outcome: 'update', changes: ['port'] },
      {
        ...row,
        number: 4,
        cells: { ...cells, address: 'a b' },
        outcome: 'wrong',
        errors: [{ field: 'address', error: 'common.hostName', msg: '…' }],
      },
    ],
  });
};

export const sipScreens: Screen[] = [
  {
    name: 'import',
    wide: true,
    open: async (p) => {
      await visit(p, '/account/sip/sipServer');
      await p.locator('main button:has(.tabler-icon-table-import)').click();
      await dialog(p).locator('input[type=file]').waitFor();
    },
  },
  {
    name: 'import-checked',
    wide: true,
    open: async (p) => {
      await checkedImport(p);
      await visit(p, '/account/sip/sipServer');
      await p.locator('main button:has(.tabler-icon-table-import)').click();
      await dialog(p)
        .locator('input[type=file]')
        .setInputFiles({ name: 'servers.xlsx', mimeType: '', buffer: Buffer.from('-') });
      await dialog(p).locator('tbody input').first().waitFor();
    },
  },
  {
    name: 'assign-account',
    wide: true,
    open: async (p) => {
      await visit(p, '/account/sip/sipAccount');
      await (await firstRow(p)).locator('button[aria-haspopup=menu]').click();
      await p
        .getByRole('menuitem')
        .filter({ has: p.locator('.tabler-icon-phone-plus') })
        .click();
      await dialog(p).locator('form').waitFor();
    },
  },
  {
    name: 'sipAccount-passwords-drawer',
    open: async (p) => {
      const line = { deviceId: device.id, device: device.name, mac: device.mac };
      const account = {
        ...{ id: '019a0000-0000-7000-8000-000000002001', orgId: device.orgId, name: 'Reception', number: '2001' },
        ...{ displayName: 'Front desk', server: { id: device.id, name: 'Main PBX' }, site: null, authUser: '2001' },
        ...{ authPasswordSet: true, proxyUser: '', proxyPasswordSet: false, voicemailNumber: '*97' },
        ...{ voicemailPasswordSet: true, status: 'registered', fcs: false, closed: false },
        devices: [1, 2].map((n) => ({ ...line, line: n })),
        updatedAt: device.createdAt,
      };
      await instead(p, 'GET', '/api/f/provisioning/sipAccount/list', { ...nothing, total: 1, records: [account] });
      const shown = { authPassword: 'kT7-pw4-Zm9', proxyPassword: null, voicemailPassword: '2580' };
      await mock(p, 'POST', /sipAccount\/[^/]+\/reveal$/, () => ({
        json: { code: 200, success: true, msg: '', data: shown },
      }));
      await visit(p, '/account/sip/sipAccount');
      await (await firstRow(p)).locator('[data-name], button').first().click();
      await dialog(p).locator('button:has(.tabler-icon-eye)').click();
      await dialog(p).getByText('2580').waitFor();
    },
  },
  {
    name: 'fcs-accounts',
    open: async (p) => {
      await fcs(p, { enabled: true, limit: 50, used: 2 });
      await visit(p, '/account/sip/sipAccount?kind=fcs');
      await p.getByRole('note').first().waitFor();
    },
  },
  {
    name: 'fcs-accounts-off',
    open: async (p) => {
      await fcs(p, { enabled: false, limit: 50, used: 2 });
      await visit(p, '/account/sip/sipAccount?kind=fcs');
      await p.getByRole('note').first().waitFor();
    },
  },
  {
    name: 'fcs-add',
    route: '/account/sip/addFcsAccount',
    open: async (p) => {
      await fcs(p, { enabled: true, limit: 50, used: 2 });
      await visit(p, '/account/sip/addFcsAccount');
      await p.locator('[name=range]').check();
      await p.locator('[name=from]').fill('8000');
      await p.locator('[name=to]').fill('8199');
    },
  },
  {
    name: 'fcs-add-off',
    open: async (p) => {
      await fcs(p, { enabled: false, limit: 0, used: 0 });
      await visit(p, '/account/sip/addFcsAccount');
      await p.getByRole('note').first().waitFor();
    },
  },
  {
    name: 'phonebook',
    open: async (p) => {
      const path = '/api/f/provisioning/phonebook';
      const token = 'AaIPxEXRcnSd7m4A7iRy-gcU2y80-3jcbO_ZvzcARBDYTSUg214CvA';
      const links = Object.fromEntries(phonebookFiles.map((file) => [file, `/api/f/phonebook/${token}/${file}`]));
      await instead(p, 'GET', path, [{ id: device.id, name: device.name, mac: device.mac }]);
      await instead(p, 'GET', `${path}/${device.id}`, { links, loadedAt: null, leftOut: 3 });
      await visit(p, '/account/ldap/ldapAccount');
      await p.locator('main button:has(.tabler-icon-phone)').click();
      await dialog(p).getByRole('combobox').click();
      await p.locator('[role=option]').first().click();
      await dialog(p).locator('code').first().waitFor();
    },
  },
  {
    name: 'ldapServer-tested',
    open: async (p) => {
      const entry = (n: number) => ({
        dn: `uid=p${n},dc=example,dc=com`,
        name: `Anna Albrecht ${n}`,
        number: `+49 30 5550 10${n}`,
        mailbox: `anna.albrecht${n}@example.com`,
        department: 'Operations',
        supervisor: 'Karla Castro',
        adAccount: `aalbrecht${n}`,
      });
      await instead(p, 'POST', '/api/f/provisioning/ldapServer/test', { entries: [0, 1, 2, 3, 4].map(entry) });
      await visit(p, '/account/ldap/addServer');
      for (const [field, value] of Object.entries({
        host: 'ldap.example.com',
        userName: 'cn=reader,dc=example,dc=com',
        password: 'Example-Secret-1',
        base: 'dc=example,dc=com',
      }))
        await p.locator(`[name=${field}]`).fill(value);
      await p.locator('button[name=test]').click();
      await p.locator('main table').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'ldapServer-sync',
    wide: true,
    open: async (p) => {
      await visit(p, '/account/ldap/ldapServer');
      await (await firstRow(p)).locator('button[aria-haspopup=menu]').click();
      await p
        .getByRole('menuitem')
        .filter({ has: p.locator('.tabler-icon-database-import') })
        .click();
      await dialog(p).locator('form').waitFor();
    },
  },
];

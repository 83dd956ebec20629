import type { Page } from 'playwright-core';
import { visit } from '../visit.ts';
import { mock } from '../mock.ts';
import { changed, device, dialog, firstRow, instead, lastOfRow, list, type Screen } from './screen.ts';
import { mailServer } from './system.screens.ts';

/** Chooses the entry with an icon in the menu of the first row. */
const ofRow = async (page: Page, icon: string) => {
  await (await firstRow(page)).locator('button[aria-haspopup=menu]').click();
  await ofMenu(page, icon);
};
const ofMenu = async (page: Page, icon: string) => {
  await page
    .getByRole('menuitem')
    .filter({ has: page.locator(`.tabler-icon-${icon}`) })
    .click();
  await dialog(page).locator('form').waitFor();
};
/** Opens the page of the first device. */
const firstDevice = async (page: Page) => {
  await list(page);
  await visit(page, `/device/deviceDetail?id=${await page.locator('[data-id]').first().getAttribute('data-id')}`);
  await page.locator('dl').waitFor();
};
const ofDevice = async (page: Page, icon: string) => {
  await firstDevice(page);
  await page.locator('main header button[aria-haspopup=menu]').click();
  await ofMenu(page, icon);
};
/** Opens a tab of the settings with stored values, and asks to delete the first one. */
const deletedSetting = async (page: Page, tab: string, key: string, value: unknown) => {
  await mock(page, 'GET', new RegExp(`^/api/f/mc/sysConfig/detail\\?configKey=${key}$`), () => ({
    json: { code: 200, success: true, msg: '', data: { configKey: key, value } },
  }));
  await visit(page, `/system/config?tab=${tab}`);
  await page.locator('main li button').last().click();
  await dialog(page).locator('form').waitFor();
};
const access = {
  id: device.id,
  level: 'view',
  state: 'active',
  company: 'Harbor Group',
  reason: 'Phones stay offline',
  createdBy: 'clara',
  createdAt: device.createdAt,
  until: '2030-02-20T09:41:00.000Z',
  endedBy: null,
  endedAt: null,
  visits: 0,
  visitedAt: null,
};
/** The own company of an installation has no parent that it could let in. */
const supportAccess = async (page: Page) => {
  await instead(page, 'GET', '/api/f/auth/supportAccess', { company: access.company, until: null });
  await instead(page, 'GET', '/api/f/auth/supportAccess/list', { records: [access], total: 1, size: 20, current: 1 });
  await visit(page, '/system/supportAccess');
  await page.locator('main [data-id]').first().waitFor();
};
const openApi = async (page: Page) => {
  const token = {
    id: device.id,
    name: 'Front desk report',
    scopes: ['device'],
    createdBy: 'clara',
    createdAt: device.createdAt,
    expiresAt: '2030-02-20T09:41:00.000Z',
    state: 'active',
  };
  await instead(page, 'GET', '/api/f/auth/api', { open: true, scopes: ['device'], passwordNeeded: true });
  await instead(page, 'GET', '/api/f/auth/api/token/list', { records: [token], total: 1, size: 20, current: 1 });
  await visit(page, '/system/apiDeveloper');
  await page.locator('main [data-id]').first().waitFor();
};

/** Dialogs and drawers that no other screen shows; a test of SHELL-20 finds those that are missing. */
export const dialogScreens: Screen[] = [
  {
    name: 'support-access-dialog',
    open: async (p) => {
      await supportAccess(p);
      await p.locator('main header > button:has(.tabler-icon-plus)').click();
      await dialog(p).locator('form').waitFor();
    },
  },
  {
    name: 'support-access-end',
    wide: true,
    open: async (p) => {
      await supportAccess(p);
      await lastOfRow(p);
    },
  },
  {
    name: 'device-change-reasons',
    open: async (p) => {
      const change = {
        id: device.id,
        kind: 'edit',
        set: { site: 'Hotel' },
        status: 'done',
        createdAt: device.createdAt,
      };
      await instead(p, 'GET', '/api/f/device/change', [{ ...change, total: 3, done: 2, unchanged: 0, failed: 1 }]);
      await instead(p, 'GET', `/api/f/device/change/${device.id}/row`, {
        records: [{ deviceId: device.id, name: device.name, mac: device.mac, state: 'failed', msg: 'Hotel 4' }],
        total: 1,
        size: 100,
        current: 1,
      });
      await list(p);
      await p.locator('main [role=region]:has(a[href*="change="]) button').first().click();
      await dialog(p).locator('tbody tr').waitFor();
    },
  },
  { name: 'device-access', open: (p) => ofDevice(p, 'ban') },
  { name: 'device-open-access', open: (p) => ofDevice(p, 'plug-connected') },
  {
    name: 'line-remove',
    open: async (p) => {
      const account = { id: device.id, name: 'Reception', number: '2001', server: 'pbx.example.com' };
      await instead(p, 'GET', '/api/f/device/line', [
        { line: 1, account, reported: { account: '2001', server: account.server, status: 'registered' } },
        { line: 2, account: null, reported: null },
      ]);
      await firstDevice(p);
      // Other tables of the page may be there before the lines.
      await p.locator('main tbody tr', { hasText: account.number }).locator('button').last().click();
      await dialog(p).locator('form').waitFor();
    },
  },
  {
    name: 'company-edit',
    wide: true,
    open: async (p) => {
      await visit(p, '/system/company');
      await ofRow(p, 'pencil');
    },
  },
  {
    name: 'menu-delete',
    open: async (p) => {
      await changed<{ builtIn: boolean }[]>(p, '/api/f/mc/menu/list', (entries) =>
        entries.map((entry) => ({ ...entry, builtIn: false })),
      );
      await visit(p, '/menu');
      await (await firstRow(p)).locator('button').last().click();
      await dialog(p).locator('form').waitFor();
    },
  },
  ...['firmwares', 'fileLists', 'configFiles'].map((path): Screen => ({
    name: `${path}-edit`,
    wide: true,
    open: async (p) => {
      await visit(p, `/resources/${path}`);
      await ofRow(p, 'pencil');
    },
  })),
  {
    name: 'alarm-acknowledge-all',
    wide: true,
    open: async (p) => {
      await visit(p, '/alarm');
      await p.locator('main header button:has(.tabler-icon-circle-check)').click();
      await dialog(p).locator('form').waitFor();
    },
  },
  {
    name: 'alarm-silence',
    wide: true,
    open: async (p) => {
      await visit(p, '/alarm?state=open');
      await ofRow(p, 'bell-off');
    },
  },
  {
    name: 'token-dialog',
    open: async (p) => {
      await openApi(p);
      await p.locator('main .mantine-Button-root:has(.tabler-icon-plus)').click();
      await dialog(p).locator('form').waitFor();
    },
  },
  {
    name: 'token-revoke',
    wide: true,
    open: async (p) => {
      await openApi(p);
      await lastOfRow(p);
    },
  },
  {
    name: 'app-dialog',
    open: async (p) => {
      await visit(p, '/system/config?tab=apps');
      await p.locator('main button:has(.tabler-icon-plus)').click();
      await dialog(p).locator('form').waitFor();
    },
  },
  {
    name: 'certificate-delete',
    open: (p) =>
      deletedSetting(p, 'certificates', 'certificates', [
        { pem: '', subject: 'CN=Hotel', issuer: 'CN=Hotel', validTo: device.createdAt, fingerprint: 'AB:CD' },
      ]),
  },
  {
    name: 'fcs-delete',
    open: (p) =>
      deletedSetting(p, 'fcs', 'fcs', {
        enabled: true,
        localConfigSync: false,
        servers: [{ name: 'FCS 1', address: 'fcs.example.com', port: 5060, transport: 'UDP', domain: '' }],
      }),
  },
  {
    name: 'mail-server-remove',
    open: async (p) => {
      await mailServer(p);
      await p.locator('main form button[data-danger]').click();
      await dialog(p).locator('form').waitFor();
    },
  },
  {
    name: 'browser-error',
    open: async (p) => {
      const entry = {
        id: device.id,
        at: device.createdAt,
        userId: null,
        username: 'clara',
        url: '/device/list',
        time: device.createdAt,
        type: 'error',
        message: 'Cannot read properties of undefined',
        stack: 'TypeError: Cannot read properties of undefined\n    at row.tsx',
        info: '',
      };
      const page = { records: [entry], total: 1, size: 20, current: 1 };
      await instead(p, 'GET', '/api/f/notification/errorLog/list', page);
      await visit(p, `/system/operationLog?log=errors&id=${entry.id}`);
      await dialog(p).locator('dl').waitFor();
    },
  },
  {
    name: 'baseline-retry',
    open: async (p) => {
      type Page = { records: { counts: object }[] };
      await changed<Page>(p, '/api/f/task/baseline/list', ({ records, ...page }) => ({
        ...page,
        records: records.map((r) => ({ ...r, counts: { ...r.counts, stuck: 2 } })),
      }));
      await visit(p, '/task/baseline');
      await (await firstRow(p)).locator('[data-name], button').first().click();
      await dialog(p).locator('button:has(.tabler-icon-refresh)').click();
      await dialog(p).locator('form').waitFor();
    },
  },
  {
    name: 'clear-cache',
    wide: true,
    open: async (p) => {
      await visit(p, '/wel/home');
      await p.locator('main h2').first().waitFor();
      await p.locator('nav button[aria-haspopup=menu]:has(.tabler-icon-dots)').last().click();
      await p.getByRole('menuitem').last().click();
      await dialog(p).locator('h2').waitFor();
    },
  },
  {
    name: 'leave-guard',
    open: async (p) => {
      await visit(p, '/device/addDevice');
      await p.locator('[name=name]').fill(device.name);
      await p.locator('form footer button').first().click();
      await dialog(p).locator('h2').waitFor();
    },
  },
];

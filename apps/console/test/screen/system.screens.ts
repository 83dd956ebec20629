import type { Page } from 'playwright-core';
import { visit } from '../visit.ts';
import { device, dialog, instead, type Screen } from './screen.ts';

/** Opens the page of a company that has a mail server of its own. */
export const mailServer = async (page: Page) => {
  await instead(page, 'GET', '/api/f/notification/mailServer', {
    server: {
      host: 'mail.example.com',
      port: 465,
      security: 'tls',
      user: 'bells',
      from: 'Bells <bells@example.com>',
      passwordSet: true,
      enabled: true,
    },
    installation: true,
  });
  await visit(page, '/system/mailServer');
  await page.locator('main form').first().waitFor();
};

/** Opens the first row of a list, and its dialog from the drawer. */
const editFirst = async (page: Page) => {
  await page.locator('[data-id] [data-name], [data-id] button').first().click();
  await dialog(page).locator('button:has(.tabler-icon-pencil)').click();
  await dialog(page).locator('form').waitFor();
};

export const systemScreens: Screen[] = [
  {
    name: 'mail-server',
    route: '/system/mailServer',
    open: mailServer,
  },
  {
    name: 'mail-server-none',
    open: async (p) => {
      await instead(p, 'GET', '/api/f/notification/mailServer', { server: null, installation: false });
      await visit(p, '/system/mailServer');
      await p.locator('main form').first().waitFor();
    },
  },
  {
    name: 'operation-log',
    route: '/system/operationLog',
    open: async (p) => {
      await visit(p, '/system/operationLog');
      await p.locator('[data-id], h2').first().waitFor();
    },
  },
  {
    name: 'operation-entry',
    open: async (p) => {
      await visit(p, '/system/operationLog');
      await p.locator('[data-id]').first().waitFor();
      await p.locator('[data-id] [data-name], [data-id] button').first().click();
      await p.getByRole('dialog').locator('dl').waitFor();
    },
  },
  {
    name: 'error-log',
    open: async (p) => {
      await visit(p, '/about');
      await p.evaluate(() =>
        localStorage.setItem(
          'carillon-error-log',
          JSON.stringify({
            type: 'array',
            time: 0,
            value: [
              {
                url: '/device/list',
                time: '2026-11-21T09:41:00.000Z',
                type: 'error',
                message: 'Cannot read properties of undefined',
                stack: 'TypeError: Cannot read properties of undefined\n    at row.tsx',
                info: '',
              },
            ],
          }),
        ),
      );
      await p.reload();
      await p.locator('header button').filter({ hasText: '1' }).click();
      await p.getByRole('dialog').locator('details').waitFor();
      await p.evaluate(() => localStorage.removeItem('carillon-error-log'));
    },
  },
  {
    name: 'about',
    route: '/about',
    open: async (p) => {
      await visit(p, '/about');
      await p.locator('dl').waitFor();
    },
  },
  {
    name: 'second-step',
    open: async (p) => {
      await visit(p, '/info');
      await p.locator('[data-session]').first().waitFor();
      await p.locator('section:has(#info-second) li button').first().click();
      await p.getByRole('dialog').locator('form').waitFor();
    },
  },
  {
    name: 'two-step',
    route: '/system/twoStep',
    open: async (p) => {
      await visit(p, '/system/twoStep');
      await p.locator('#two-step-state').waitFor();
    },
  },
  {
    name: 'company-key',
    route: '/system/companyKey',
    open: async (p) => {
      const madeAt = '2026-11-24T08:30:00.000Z';
      await instead(p, 'GET', '/api/f/provisioning/companyKey', {
        madeAt,
        renewal: { status: 'process', startedAt: madeAt, endedAt: null, done: 1_240, total: 4_800, failed: 0 },
      });
      await instead(p, 'GET', '/api/f/resource/companyKey', {
        madeAt,
        renewal: { status: 'partly', startedAt: madeAt, endedAt: madeAt, done: 62, total: 63, failed: 1 },
      });
      await visit(p, '/system/companyKey');
      await p.getByRole('progressbar').waitFor();
    },
  },
  {
    name: 'company-key-change',
    open: async (p) => {
      const madeAt = '2026-11-24T08:30:00.000Z';
      await instead(p, 'GET', '/api/f/provisioning/companyKey', { madeAt, renewal: null });
      await instead(p, 'GET', '/api/f/resource/companyKey', { madeAt: null, renewal: null });
      await visit(p, '/system/companyKey');
      await p.locator('section:has(#key-accounts) button').click();
      await dialog(p).locator('form').waitFor();
    },
  },
  {
    name: 'api-developer',
    route: '/system/apiDeveloper',
    open: async (p) => {
      await visit(p, '/system/apiDeveloper');
      await p.locator('#api-state').waitFor();
    },
  },
  {
    name: 'api-open',
    open: async (p) => {
      await instead(p, 'GET', '/api/f/auth/api', {
        open: true,
        scopes: ['device', 'addDevice', 'task', 'addTask'],
        passwordNeeded: true,
      });
      await instead(p, 'GET', '/api/f/auth/api/token/list', {
        records: [
          {
            id: device.id,
            name: 'Front desk report',
            scopes: ['device', 'task'],
            createdBy: 'clara',
            createdAt: device.createdAt,
            expiresAt: '2027-02-20T09:41:00.000Z',
            state: 'active',
          },
          {
            id: device.orgId,
            name: 'Door import',
            scopes: ['device', 'addDevice'],
            createdBy: 'clara',
            createdAt: '2026-05-02T09:41:00.000Z',
            expiresAt: '2026-08-02T09:41:00.000Z',
            state: 'expired',
          },
        ],
        total: 2,
        current: 1,
        size: 20,
      });
      await visit(p, '/system/apiDeveloper');
      await p.getByText('Front desk report').waitFor();
    },
  },
  {
    name: 'change-password',
    route: '/resetPassword',
    open: async (p) => {
      await visit(p, '/resetPassword');
      await p.locator('[name=newPassword]').fill('Abc1');
      await p.locator('button[type=submit]').click();
      await p.locator('[aria-invalid=true]').first().waitFor();
    },
  },
  {
    name: 'menus',
    route: '/menu',
    open: async (p) => {
      await visit(p, '/menu');
      await p.locator('[data-id]').first().waitFor();
    },
  },
  {
    name: 'menu-drawer',
    open: async (p) => {
      await visit(p, '/menu');
      await p.locator('[data-name]').first().click();
      await dialog(p).locator('dl').waitFor();
    },
  },
  {
    name: 'menu-dialog',
    open: async (p) => {
      await visit(p, '/menu');
      await p.locator('[data-id]').first().waitFor();
      await p.locator('main header button').first().click();
      await p.getByRole('dialog').locator('form').waitFor();
    },
  },
  ...['names', 'mail', 'fcs', 'imports', 'certificates', 'apps', 'legal'].map((tab): Screen => ({
    name: `config-${tab}`,
    route: '/system/config',
    open: async (p) => {
      await visit(p, `/system/config?tab=${tab}`);
      await p.locator('main form, main h2, main button, main input[type=checkbox]').first().waitFor();
    },
  })),
  {
    name: 'times',
    route: '/system/time',
    open: async (p) => {
      await visit(p, '/system/time');
      await p.locator('[data-id]').first().waitFor();
    },
  },
  {
    name: 'times-zones',
    open: async (p) => {
      await visit(p, '/system/time?table=zones');
      await p.locator('[data-id]').first().waitFor();
    },
  },
  {
    name: 'zone-dialog',
    open: async (p) => {
      await visit(p, '/system/time?table=zones');
      await editFirst(p);
    },
  },
  {
    name: 'time-dialog',
    open: async (p) => {
      await visit(p, '/system/time?search=Morocco');
      await editFirst(p);
    },
  },
  {
    name: 'info',
    route: '/info',
    open: async (p) => {
      await visit(p, '/info');
      await p.locator('[data-session]').first().waitFor();
    },
  },
  {
    name: 'new-email',
    route: '/resetEmail',
    open: async (p) => {
      await visit(p, '/resetEmail');
      await p.locator('form').waitFor();
    },
  },
];

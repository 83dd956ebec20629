import type { Page } from 'playwright-core';
import { nouns, phonebookFiles, type NounDefinition } from '@carillon/contracts';
import { allRoutes } from '@carillon/contracts/routes';
import { pageRoutes, type PageRoute } from './routes.ts';

/** A screen in a state of it that a person meets, and how to come to it. */
export interface Screen {
  name: string;
  /** The page of this route is what it shows: the route needs no screen of its own. */
  route?: string;
  /** Not on a phone. */
  wide?: true;
  /** On a phone only. */
  phone?: true;
  /** A call is refused in it, which the browser notes on its console. */
  refused?: true;
  open: (page: Page) => Promise<void>;
}

/** Nothing loads and nothing moves any more. */
export const settled = async (page: Page) => {
  await page.waitForFunction(
    () => document.querySelector('[aria-busy="true"]') === null && document.querySelector('h1,h2') !== null,
  );
  // One that stands still, because what it moves is not drawn, never finishes: three seconds are enough for all others.
  await page.evaluate(async () => {
    const moving = Promise.all(
      document
        .getAnimations()
        .filter((a) => a.effect?.getTiming().iterations !== Number.POSITIVE_INFINITY)
        .map((a) => a.finished.catch(() => {})),
    );
    await Promise.race([
      moving,
      new Promise((done) => {
        setTimeout(done, 3_000);
      }),
    ]);
    await document.fonts.ready;
  });
};
/** The installation has nothing of what a screen is about. */
export class NothingToShow extends Error {}
const list = async (page: Page, query = '') => {
  await page.goto(`/device/list${query}`);
  await page.locator('[data-id]').first().waitFor();
  await page.locator('main header :is(a, button)').first().waitFor();
};
const firstTask = async (page: Page) => {
  await page.goto('/task/list');
  await page.locator('[data-id], main h2').first().waitFor();
  if ((await page.locator('[data-id]').count()) === 0) throw new NothingToShow('there is no task');
  await page.locator('[data-id] [data-name], [data-id] button').first().click();
  await page.getByRole('dialog').getByRole('progressbar').waitFor();
};
/** The one of an installation that its detail is shown of; looked for once. */
const known = new Map<string, Promise<string | null>>();
const firstDevice = (page: Page) => {
  const { origin } = new URL(page.url());
  if (!known.has(origin))
    known.set(
      origin,
      list(page).then(() => page.locator('[data-id]').first().getAttribute('data-id')),
    );
  return known.get(origin)!;
};

/**
 * What a call answers instead of being made: a state that a person meets after something was changed is shown, and
 * nothing is changed for it.
 */
const instead = (page: Page, method: string, path: string, data: unknown, status = 200) =>
  page.route(
    (url) => url.pathname === path,
    (route) =>
      route.request().method() === method
        ? route.fulfill({
            status,
            json: {
              code: status < 300 ? 200 : status,
              success: status < 300,
              msg: '',
              requestId: '7d3f0c52-5d1a-4f0e-9c5b-2f6a1f0b8e11',
              data,
              ...(status < 300 ? {} : (data as object)),
            },
          })
        : route.fallback(),
  );
const dialog = (page: Page) => page.getByRole('dialog');
/** The first record of the list that is open. */
const firstRow = async (page: Page) => {
  await page.locator('main :is([data-id], h2)').first().waitFor();
  const row = page.locator('main [data-id]').first();
  if ((await row.count()) === 0) throw new NothingToShow('the list is empty');
  return row;
};
/** The last entry of the menu of the first row that has one. */
const lastOfRow = async (page: Page) => {
  await page.locator('main [data-id] button[aria-haspopup=menu]').last().click();
  await page.getByRole('menuitem').last().click();
  await dialog(page).locator('form').waitFor();
};
const device = {
  id: '019a0000-0000-7000-8000-000000000001',
  orgId: '019a0000-0000-7000-8000-000000000002',
  mac: '0c383e557eb1',
  name: 'Reception desk 1',
  model: 'X7A',
  sn: 'X7A0C383E557EB1',
  firmware: null,
  hardware: null,
  state: 'notConfigured',
  internalIp: null,
  publicIp: null,
  lte: null,
  dnd: null,
  certificate: null,
  lines: [],
  calls: 0,
  capabilities: [],
  configVersion: null,
  lastOnlineAt: null,
  onlineSince: null,
  lastConfigAt: null,
  createdAt: '2026-11-22T09:41:00.000Z',
};
const fill = async (page: Page, fields: Record<string, string>) => {
  for (const [name, value] of Object.entries(fields)) await page.locator(`[name=${name}]`).fill(value);
};
const pickFirst = async (page: Page, nth: number) => {
  await page.locator('.mantine-MultiSelect-input').nth(nth).click();
  await page.getByRole('option').first().click();
  await page.keyboard.press('Escape');
};
const nothing = { records: [], total: 0, size: 20, current: 1 };

const ownPublicScreens: Screen[] = [
  {
    name: 'login',
    route: '/login',
    open: async (p) => {
      await p.goto('/login');
      await p.locator('form').waitFor();
    },
  },
  {
    name: 'login-refused',
    open: async (p) => {
      await p.goto('/login');
      await p.locator('button[type=submit]').click();
      await p.locator('[aria-invalid=true]').first().waitFor();
    },
  },
  {
    name: 'login-captcha',
    open: async (p) => {
      await instead(p, 'GET', '/api/f/auth/oauth/showCaptcha', true);
      await p.goto('/login');
      await p.locator('form img').waitFor();
      await p.locator('button[type=submit]').click();
      await p.locator('[name=captcha][aria-invalid=true]').waitFor();
    },
  },
  {
    name: 'login-elsewhere',
    open: async (p) => {
      await instead(p, 'GET', '/api/f/auth/oidc/list', [{ id: 'staff', name: 'Meridian Hotels' }]);
      await p.goto('/login?refused=noAccount');
      await p.locator('[role=group] a').waitFor();
      await p.locator('[role=alert]').waitFor();
    },
  },
  {
    name: 'login-second-step',
    refused: true,
    open: async (p) => {
      await instead(
        p,
        'POST',
        '/api/f/auth/oauth/token',
        { error: 'auth.twoStepRequired', key: 'none', methods: ['email', 'totp', 'passkey'] },
        401,
      );
      await p.goto('/login');
      await fill(p, { name: 'clara', password: 'of-no-one' });
      await p.locator('[name=agreement]').check();
      await p.locator('button[type=submit]').click();
      await p.locator('[name=code]').waitFor();
    },
  },
  {
    name: 'forgot-password',
    route: '/forgetPassword',
    open: async (p) => {
      await instead(p, 'GET', '/api/f/notification/mail/ready', { ready: true });
      await p.goto('/forgetPassword');
      await p.locator('form').waitFor();
    },
  },
  {
    name: 'forgot-password-sent',
    route: '/forgetPasswordActive',
    open: async (p) => {
      await instead(p, 'GET', '/api/f/notification/mail/ready', { ready: true });
      await p.goto('/forgetPassword');
      await p.locator('[name=name]').fill('nobody');
      await p.locator('button[type=submit]').click();
      await p.waitForURL('**/forgetPasswordActive');
      await p.locator('[name=name]').waitFor({ state: 'detached' });
      await p.locator('button[disabled]').waitFor();
    },
  },
  {
    name: 'reset-link-invalid',
    route: '/forgetPasswordResult',
    open: async (p) => {
      await p.goto('/forgetPasswordResult');
      await p.locator('main a').first().waitFor();
    },
  },
  {
    name: 'password-set',
    route: '/resetPassSuccess',
    open: async (p) => {
      await p.goto('/resetPassSuccess');
      await p.locator('[role=timer]').waitFor();
    },
  },
  {
    name: 'email-link-invalid',
    route: '/resetEmailResult',
    open: async (p) => {
      await p.goto('/resetEmailResult');
      await p.locator('main a').first().waitFor();
    },
  },
  {
    name: 'activate',
    route: '/system/activeUser',
    open: async (p) => {
      await p.goto('/system/activeUser');
      await p.locator('form').waitFor();
      await p.locator('button[type=submit]').click();
      await p.locator('[aria-invalid=true]').first().waitFor();
    },
  },
  ...['terms', 'privacy'].map((name): Screen => ({
    name,
    route: `/${name}`,
    open: async (p) => {
      await p.goto(`/${name}`);
      await p.locator('main p').nth(2).waitFor();
    },
  })),
  ...['404', '403', '500'].map((code): Screen => ({
    name: code,
    route: `/${code}`,
    open: async (p) => {
      await p.goto(`/${code}`);
      await p.locator('h1').waitFor();
    },
  })),
];
/** An import whose rows have been checked; nothing of it is stored. */
const checkedImport = async (page: Page) => {
  const path = '/api/f/provisioning/import/sipServer';
  const id = '019a0000-0000-7000-8000-000000000003';
  const fields = ['name', 'address', 'port'].map((key) => ({
    key,
    title: key,
    required: key === 'name',
    secret: false,
  }));
  const counts = { total: 3, checked: 3, add: 1, update: 1, unchanged: 0, wrong: 1, done: 0, undone: 0, kept: 0 };
  const createdAt = '2026-11-22T09:41:00.000Z';
  const made = { id, name: 'servers.xlsx', status: 'checked', fields, ignored: ['Floor'], counts, createdAt };
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

/** What a channel can do that the installation's own company, which nobody has above it, cannot. */
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

const ownScreens: Screen[] = [
  {
    name: 'import',
    wide: true,
    open: async (p) => {
      await p.goto('/account/sip/sipServer');
      await p.locator('main button:has(.tabler-icon-table-import)').click();
      await dialog(p).locator('input[type=file]').waitFor();
    },
  },
  {
    name: 'import-checked',
    wide: true,
    open: async (p) => {
      await checkedImport(p);
      await p.goto('/account/sip/sipServer');
      await p.locator('main button:has(.tabler-icon-table-import)').click();
      await dialog(p)
        .locator('input[type=file]')
        .setInputFiles({ name: 'servers.xlsx', mimeType: '', buffer: Buffer.from('-') });
      await dialog(p).locator('tbody input').first().waitFor();
    },
  },
  {
    name: 'home',
    route: '/wel/home',
    open: async (p) => {
      await p.goto('/wel/home');
      await p.locator('h2').first().waitFor();
    },
  },
  { name: 'list', route: '/device/list', open: (p) => list(p, '?limit=50') },
  {
    name: 'list-selected',
    wide: true,
    open: async (p) => {
      await list(p);
      await p.locator('thead input').click();
      await p.locator('[data-id] input').nth(1).click();
      await p.locator('main [role=region] strong').waitFor();
      await p.locator('[data-id]').nth(4).hover();
    },
  },
  {
    name: 'list-filter',
    wide: true,
    open: async (p) => {
      await p.goto('/device/list?state=online&state=offline&search=a');
      await p.locator('thead').waitFor();
      await p.locator('[role=search] button[aria-haspopup=dialog]').first().click();
      await p.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'list-no-match',
    open: async (p) => {
      await p.goto('/device/list?search=nothing-is-called-so&state=online');
      await p.locator('h2').waitFor();
    },
  },
  {
    name: 'list-empty',
    open: async (p) => {
      await instead(p, 'GET', '/api/f/device/device/list', nothing);
      await p.goto('/device/list');
      await p.locator('main h2').waitFor();
    },
  },
  {
    name: 'list-failed',
    refused: true,
    open: async (p) => {
      await instead(p, 'GET', '/api/f/device/device/list', { error: 'common.invalid' }, 400);
      await p.goto('/device/list');
      await p.locator('main [role=alert] button').waitFor({ timeout: 30_000 });
    },
  },
  {
    name: 'list-selecting',
    phone: true,
    open: async (p) => {
      await list(p);
      await p.locator('main header button').first().click();
      await p.locator('[data-id] input').nth(1).check();
      await p.locator('[data-id] input').nth(2).check();
      await p.locator('main [role=region] strong').waitFor();
    },
  },
  {
    name: 'row-menu',
    wide: true,
    open: async (p) => {
      await list(p);
      await p.locator('[data-id] button[aria-haspopup=menu]').nth(2).click();
      await p.getByRole('menuitem').first().waitFor();
    },
  },
  {
    name: 'device-drawer',
    open: async (p) => {
      await p.goto(`/device/list?id=${await firstDevice(p)}`);
      await p.getByRole('dialog').locator('dl').waitFor();
    },
  },
  {
    name: 'action-dialog',
    open: async (p) => {
      await p.goto(`/device/deviceDetail?id=${await firstDevice(p)}`);
      await p.locator('main h1 ~ div button:not([aria-haspopup])').last().click();
      await p.getByRole('dialog').locator('form').waitFor();
    },
  },
  {
    name: 'device',
    route: '/device/deviceDetail',
    open: async (p) => {
      await p.goto(`/device/deviceDetail?id=${await firstDevice(p)}`);
      await p.locator('dl').waitFor();
      await p.locator('main header nav a').nth(2).waitFor();
    },
  },
  {
    name: 'device-tasks',
    open: async (p) => {
      await p.goto(`/device/deviceDetail?tab=tasks&id=${await firstDevice(p)}`);
      await p.locator('dl').waitFor();
    },
  },
  {
    name: 'device-log-tab',
    open: async (p) => {
      await p.goto(`/device/deviceDetail?tab=log&id=${await firstDevice(p)}`);
      await p.locator('[role=group] tbody tr').first().waitFor();
    },
  },
  {
    name: 'device-log',
    route: '/device/deviceLog',
    open: async (p) => {
      await p.goto('/device/deviceLog');
      await p.locator('[data-id]').first().waitFor();
    },
  },
  {
    name: 'add-device',
    route: '/device/addDevice',
    open: async (p) => {
      await p.goto('/device/addDevice');
      await p.locator('form').waitFor();
      await p.locator('[name=mac]').fill('0C:38:3E');
      await p.locator('button[type=submit]').click();
      await p.locator('[aria-invalid=true]').first().waitFor();
    },
  },
  {
    name: 'device-added',
    open: async (p) => {
      await instead(p, 'POST', '/api/f/device/device', { device, secret: 'q8Zt3vXh2mKc7RrYw5Lp' });
      await p.goto('/device/addDevice');
      await p.locator('form').waitFor();
      await fill(p, { mac: device.mac, name: device.name, model: device.model, sn: device.sn });
      await p.locator('button[type=submit]').click();
      await p.locator('main dl').waitFor();
    },
  },
  {
    name: 'renew-secret',
    open: async (p) => {
      await p.goto(`/device/deviceDetail?id=${await firstDevice(p)}`);
      await p.locator('main h1 ~ div button:not([aria-haspopup])').first().click();
      await dialog(p).locator('button').first().waitFor();
    },
  },
  {
    name: 'site-dialog',
    open: async (p) => {
      await p.goto('/site/list');
      await p.locator('[data-id], h2').first().waitFor();
      await p.locator('main header > button').last().click();
      await p.getByRole('dialog').locator('form').waitFor();
      await p.locator('[name=segments]').fill('127.0.0.1/32, 10.20.0.0/16');
      await p.getByRole('dialog').getByRole('status').waitFor();
    },
  },
  {
    name: 'assign-site',
    wide: true,
    open: async (p) => {
      await p.goto(`/device/deviceDetail?id=${await firstDevice(p)}`);
      await p.locator('main header button[aria-haspopup=menu]').click();
      await p.getByRole('menuitem').nth(1).click();
      await p.getByRole('dialog').locator('form').waitFor();
    },
  },
  {
    name: 'add-to-group',
    wide: true,
    open: async (p) => {
      await p.goto(`/device/deviceDetail?id=${await firstDevice(p)}`);
      await p.locator('main header button[aria-haspopup=menu]').click();
      await p
        .getByRole('menuitem')
        .filter({ has: p.locator('.tabler-icon-stack-push') })
        .click();
      await p.getByRole('dialog').locator('form').waitFor();
    },
  },
  {
    name: 'edit-tags',
    open: async (p) => {
      await p.goto(`/device/deviceDetail?id=${await firstDevice(p)}`);
      await p.locator('main header button[aria-haspopup=menu]').click();
      await p
        .getByRole('menuitem')
        .filter({ has: p.locator('.tabler-icon-tag') })
        .click();
      await p.locator('[name=key0]:focus').waitFor();
      await p.locator('[name=key0]').fill('floor');
      await p.locator('[name=value0]').fill('4');
      await dialog(p).locator('form').waitFor();
    },
  },
  {
    name: 'device-group-rule',
    open: async (p) => {
      await p.goto('/device/group');
      await p.locator('[data-id], h2').first().waitFor();
      await p.locator('main header > button').last().click();
      await dialog(p).locator('form').waitFor();
      await p.locator('[name=name]').fill('Reception desks');
      await p.locator('[role=radiogroup] label').last().click();
      await dialog(p).locator('[role=group] button').first().waitFor();
    },
  },
  {
    name: 'assign-account',
    wide: true,
    open: async (p) => {
      await p.goto('/account/sip/sipAccount');
      await (await firstRow(p)).locator('button[aria-haspopup=menu]').click();
      await p
        .getByRole('menuitem')
        .filter({ has: p.locator('.tabler-icon-phone-plus') })
        .click();
      await dialog(p).locator('form').waitFor();
    },
  },
  {
    name: 'phonebook',
    open: async (p) => {
      const path = '/api/f/provisioning/phonebook';
      const token = 'AaIPxEXRcnSd7m4A7iRy-gcU2y80-3jcbO_ZvzcARBDYTSUg214CvA';
      const links = Object.fromEntries(phonebookFiles.map((file) => [file, `/api/f/phonebook/${token}/${file}`]));
      await instead(p, 'GET', path, [{ id: device.id, name: device.name, mac: device.mac }]);
      await instead(p, 'GET', `${path}/${device.id}`, { links, loadedAt: null });
      await p.goto('/account/ldap/ldapAccount');
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
      await p.goto('/account/ldap/addServer');
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
      await p.goto('/account/ldap/ldapServer');
      await (await firstRow(p)).locator('button[aria-haspopup=menu]').click();
      await p
        .getByRole('menuitem')
        .filter({ has: p.locator('.tabler-icon-database-import') })
        .click();
      await dialog(p).locator('form').waitFor();
    },
  },
  {
    name: 'list-views',
    wide: true,
    open: async (p) => {
      await list(p);
      await p.locator('main nav button:has(.tabler-icon-plus)').click();
      await p.getByRole('dialog').locator('form').waitFor();
    },
  },
  {
    name: 'list-view-tabs',
    open: async (p) => {
      const view = (n: number, name: string, filters: object, own = true) => ({
        id: device.id.slice(0, -1) + n,
        list: 'device',
        name,
        shared: !own,
        own,
        owner: 'Clara Weber',
        state: { search: '', limit: 20, filters },
        layout: {},
      });
      const views = [
        view(1, 'Offline', { state: ['offline'] }),
        view(2, 'Needs attention in the lobby', { state: ['abnormal', 'notConfigured'] }),
        view(3, 'Reception desks of all houses', {}, false),
      ];
      await instead(p, 'GET', '/api/f/org/view', views);
      await list(p, `?state=online&state=offline&view=${views[1]!.id}`);
      await p.getByText('Needs attention in the lobby').first().waitFor();
    },
  },
  {
    name: 'list-views-managed',
    wide: true,
    open: async (p) => {
      const view = { id: device.id, list: 'device', name: 'Offline', shared: true, own: true, owner: 'Clara Weber' };
      await instead(p, 'GET', '/api/f/org/view', [
        { ...view, state: { search: '', limit: 20, filters: { state: ['offline'] } }, layout: {} },
      ]);
      await list(p);
      await p.locator('main nav button:has(.tabler-icon-settings)').click();
      await dialog(p).locator('li button').first().waitFor();
    },
  },
  {
    name: 'list-columns',
    wide: true,
    open: async (p) => {
      await list(p);
      await p.locator('main [role=search] button[aria-haspopup=dialog]').last().click();
      await p.getByRole('dialog').locator('input').first().waitFor();
    },
  },
  {
    name: 'delete',
    wide: true,
    open: async (p) => {
      await list(p);
      await p.locator('thead input').click();
      await p.locator('main [role=region] button').last().click();
      await p.getByRole('dialog').locator('form').waitFor();
    },
  },
  {
    name: 'rename',
    open: async (p) => {
      await p.goto(`/device/deviceDetail?id=${await firstDevice(p)}`);
      await p.locator('main header button[aria-haspopup=menu]').click();
      await p.getByRole('menuitem').first().click();
      await p.getByRole('dialog').locator('form').waitFor();
    },
  },
  {
    name: 'tasks',
    route: '/task/list',
    open: async (p) => {
      await p.goto('/task/list');
      await p.locator('[data-id], h2').first().waitFor();
    },
  },
  { name: 'task-drawer', open: firstTask },
  {
    name: 'operation-log',
    route: '/system/operationLog',
    open: async (p) => {
      await p.goto('/system/operationLog');
      await p.locator('[data-id], h2').first().waitFor();
    },
  },
  {
    name: 'operation-entry',
    open: async (p) => {
      await p.goto('/system/operationLog');
      await p.locator('[data-id]').first().waitFor();
      await p.locator('[data-id] [data-name], [data-id] button').first().click();
      await p.getByRole('dialog').locator('dl').waitFor();
    },
  },
  {
    name: 'alarms',
    route: '/alarm',
    open: async (p) => {
      await p.goto('/alarm');
      await p.locator('[data-id], h2').first().waitFor();
    },
  },
  {
    name: 'alarm-drawer',
    open: async (p) => {
      await p.goto('/alarm?state=open');
      await p.locator('[data-id]').first().waitFor();
      await p.locator('[data-id] [data-name], [data-id] button').first().click();
      await p.getByRole('dialog').locator('section li').first().waitFor();
    },
  },
  {
    name: 'alarm-rules',
    open: async (p) => {
      await p.goto('/alarm');
      await p.locator('[data-id], h2').first().waitFor();
      await p.locator('main button:has(.tabler-icon-adjustments)').click();
      await p.getByRole('dialog').locator('li').first().waitFor();
    },
  },
  {
    name: 'messages',
    open: async (p) => {
      await p.goto('/alarm?tableCheck=message');
      await p.locator('[data-id], h2').first().waitFor();
    },
  },
  {
    name: 'bell',
    open: async (p) => {
      await p.goto('/about');
      await p.locator('dl').waitFor();
      await p.locator('header button[aria-haspopup=dialog]').click();
      await p.getByRole('dialog').locator('ul, p').first().waitFor();
    },
  },
  {
    name: 'error-log',
    open: async (p) => {
      await p.goto('/about');
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
    name: 'export',
    wide: true,
    open: async (p) => {
      await list(p);
      await p.locator('main header button').first().click();
      await p.locator('main [role=region] .tabler-icon-download').waitFor();
    },
  },
  {
    name: 'about',
    route: '/about',
    open: async (p) => {
      await p.goto('/about');
      await p.locator('dl').waitFor();
    },
  },
  {
    name: 'second-step',
    open: async (p) => {
      await p.goto('/info');
      await p.locator('[data-session]').first().waitFor();
      await p.locator('section:has(#info-second) li button').first().click();
      await p.getByRole('dialog').locator('form').waitFor();
    },
  },
  {
    name: 'two-step',
    route: '/system/twoStep',
    open: async (p) => {
      await p.goto('/system/twoStep');
      await p.locator('#two-step-state').waitFor();
    },
  },
  {
    name: 'api-developer',
    route: '/system/apiDeveloper',
    open: async (p) => {
      await p.goto('/system/apiDeveloper');
      await p.locator('#api-state').waitFor();
    },
  },
  {
    name: 'api-open',
    open: async (p) => {
      await instead(p, 'GET', '/api/f/auth/api', { open: true, scopes: ['device', 'addDevice', 'task', 'addTask'] });
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
      await p.goto('/system/apiDeveloper');
      await p.getByText('Front desk report').waitFor();
    },
  },
  {
    name: 'change-password',
    route: '/resetPassword',
    open: async (p) => {
      await p.goto('/resetPassword');
      await p.locator('[name=newPassword]').fill('Abc1');
      await p.locator('button[type=submit]').click();
      await p.locator('[aria-invalid=true]').first().waitFor();
    },
  },
  {
    name: 'lock',
    wide: true,
    open: async (p) => {
      await p.goto('/wel/home');
      await p.locator('h2').first().waitFor();
      await p.locator('header button:has(.tabler-icon-lock)').click();
      await p.getByRole('dialog').locator('form').waitFor();
    },
  },
  {
    name: 'locked',
    route: '/lock',
    open: async (p) => {
      await p.goto('/404');
      await p.evaluate(() =>
        sessionStorage.setItem('carillon-lock', JSON.stringify({ type: 'boolean', value: true, time: 0 })),
      );
      await p.goto('/lock?to=/wel/home');
      await p.locator('form').waitFor();
      await p.evaluate(() => sessionStorage.clear());
    },
  },
  {
    name: 'users',
    route: '/system/users',
    open: async (p) => {
      await p.goto('/system/users');
      await p.locator('[data-id]').first().waitFor();
    },
  },
  {
    name: 'user-add',
    route: '/system/users/addUser',
    open: async (p) => {
      await p.goto('/system/users/addUser');
      await p.locator('form').waitFor();
      await p.locator('button[type=submit]').click();
      await p.locator('[aria-invalid=true]').first().waitFor();
    },
  },
  {
    name: 'several-users',
    open: async (p) => {
      await p.goto('/system/users/addUser');
      await p.locator('form').waitFor();
      await p.locator('form label[for$="-several"]').first().click();
      await p.locator('[name=addresses]').fill('clara.weber@example.com, Dan Diaz <dan@example.com>');
      await p.locator('form ul input').first().waitFor();
    },
  },
  {
    name: 'user-made',
    open: async (p) => {
      await p.goto('/system/users');
      await p.locator('[data-id]').first().waitFor();
      const [made] = (
        (await (
          await p
            .waitForResponse((r) => r.url().includes('/api/f/auth/user/list'), { timeout: 1_000 })
            .catch(() => p.reload().then(() => p.waitForResponse((r) => r.url().includes('/api/f/auth/user/list'))))
        ).json()) as { data: { records: object[] } }
      ).data.records;
      await instead(p, 'POST', '/api/f/auth/user', { ...made, username: 'clara.weber', nickname: 'Clara Weber' }, 201);
      await p.goto('/system/users/addUser');
      await p.locator('form').waitFor();
      await fill(p, { username: 'clara.weber', nickname: 'Clara Weber' });
      await pickFirst(p, 0);
      await pickFirst(p, 1);
      await p.locator('form label[for$="-password"]').last().click();
      await p.locator('[name=oldEnough]').check();
      await p.locator('button[type=submit]').click();
      await p.locator('main dl').waitFor();
    },
  },
  {
    name: 'user-edit',
    route: '/system/users/editUser',
    open: async (p) => {
      await p.goto('/system/users');
      await p.locator('[data-id]').first().waitFor();
      const id = await p.locator('[data-id]').last().getAttribute('data-id');
      await p.goto(`/system/users/editUser?id=${id}`);
      await p.locator('dl').waitFor();
    },
  },
  {
    name: 'user-delete',
    wide: true,
    open: async (p) => {
      await p.goto('/system/users');
      await p.locator('[data-id]').first().waitFor();
      await lastOfRow(p);
    },
  },
  {
    name: 'undo',
    open: async (p) => {
      await instead(p, 'DELETE', '/api/f/org/site', null);
      await p.goto('/site/list');
      await firstRow(p);
      await lastOfRow(p);
      await dialog(p).locator('button[type=submit]').click();
      const toast = p.getByRole('alert').filter({ has: p.locator('[aria-keyshortcuts]') });
      await toast.waitFor();
      await toast.hover();
    },
  },
  {
    name: 'roles',
    route: '/system/roles',
    open: async (p) => {
      await p.goto('/system/roles');
      await p.locator('[data-id]').first().waitFor();
    },
  },
  {
    name: 'role-add',
    route: '/system/users/addRole',
    open: async (p) => {
      await p.goto('/system/users/addRole');
      await p.locator('fieldset input').first().waitFor();
      await p.locator('fieldset input').nth(1).check();
      await p.locator('fieldset input').nth(12).check();
      await p.locator('section li').nth(1).waitFor();
    },
  },
  {
    name: 'menus',
    route: '/menu',
    open: async (p) => {
      await p.goto('/menu');
      await p.locator('[data-id]').first().waitFor();
    },
  },
  {
    name: 'menu-dialog',
    open: async (p) => {
      await p.goto('/menu');
      await p.locator('[data-id]').first().waitFor();
      await p.locator('main header button').first().click();
      await p.getByRole('dialog').locator('form').waitFor();
    },
  },
  {
    name: 'sub-channels',
    route: '/channel/boundChannelList',
    open: async (p) => {
      await asChannel(p);
      await p.goto('/channel/boundChannelList');
      await p.locator('main :is([data-id], h2)').first().waitFor();
      await p.locator('main button:has(.tabler-icon-key)').waitFor();
    },
  },
  {
    name: 'sub-channels-empty',
    open: async (p) => {
      await instead(p, 'GET', '/api/f/org/channel/list', nothing);
      await p.goto('/channel/boundChannelList');
      await p.locator('main h2').first().waitFor();
    },
  },
  {
    name: 'sub-channel-drawer',
    open: async (p) => {
      await asChannel(p);
      await p.goto('/channel/boundChannelList');
      await (await firstRow(p)).locator('[data-name], button').first().click();
      await dialog(p).locator('dl').first().waitFor();
    },
  },
  {
    name: 'sub-channel-unbind',
    wide: true,
    open: async (p) => {
      await asChannel(p);
      await p.goto('/channel/boundChannelList');
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
      await p.goto('/channel/boundChannelList');
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
      await p.goto('/channel/boundChannelList');
      await p.locator('main button:has(.tabler-icon-key)').first().click();
      await dialog(p).locator('button[type=submit]').click();
      await dialog(p).locator('code').waitFor();
    },
  },
  {
    name: 'companies',
    route: '/system/company',
    open: async (p) => {
      await p.goto('/system/company');
      await p.locator('[data-id]').first().waitFor();
    },
  },
  {
    name: 'company-dialog',
    open: async (p) => {
      await p.goto('/system/company');
      await p.locator('[data-id]').first().waitFor();
      await p.locator('main header > button').last().click();
      await p.getByRole('dialog').locator('form').waitFor();
    },
  },
  {
    name: 'company-drawer',
    open: async (p) => {
      await p.goto('/system/company');
      await p.locator('[data-id]').first().waitFor();
      await p.locator('[data-id]').first().click();
      await dialog(p).locator('code').waitFor();
    },
  },
  {
    name: 'company-made',
    open: async (p) => {
      await instead(p, 'POST', '/api/f/auth/company', { id: device.id, orgId: device.orgId, userId: device.id }, 201);
      await p.goto('/system/company');
      await p.locator('[data-id]').first().waitFor();
      await p.locator('main header > button').last().click();
      await dialog(p).locator('form').waitFor();
      await fill(p, { name: 'Meridian Hotels', username: 'clara.weber', nickname: 'Clara Weber' });
      await dialog(p).locator('label[for$="-password"]').first().click();
      await p.locator('[name=oldEnough]').check();
      await dialog(p).locator('button[type=submit]').click();
      await dialog(p).locator('dl').waitFor();
    },
  },
  ...['names', 'mail', 'fcs', 'certificates', 'apps', 'legal'].map((tab): Screen => ({
    name: `config-${tab}`,
    route: '/system/config',
    open: async (p) => {
      await p.goto(`/system/config?tab=${tab}`);
      await p.locator('main form, main h2, main button').first().waitFor();
    },
  })),
  {
    name: 'config-add-fcs',
    route: '/system/config/addFcsSipServer',
    open: async (p) => {
      await p.goto('/system/config/addFcsSipServer');
      await p.locator('form').waitFor();
      await p.locator('button[type=submit]').click();
      await p.locator('[aria-invalid=true]').first().waitFor();
    },
  },
  {
    name: 'times',
    route: '/system/time',
    open: async (p) => {
      await p.goto('/system/time');
      await p.locator('[data-id]').first().waitFor();
    },
  },
  {
    name: 'times-zones',
    open: async (p) => {
      await p.goto('/system/time?table=zones');
      await p.locator('[data-id]').first().waitFor();
    },
  },
  {
    name: 'zone-dialog',
    open: async (p) => {
      await p.goto('/system/time?table=zones');
      await p.locator('[data-id] [data-name], [data-id] button').first().click();
      await dialog(p).locator('form').waitFor();
    },
  },
  {
    // Own models stand first, and supplied ones are not deleted.
    name: 'model-delete',
    wide: true,
    open: async (p) => {
      await p.goto('/model/list');
      await p.locator('main [data-id] button[aria-haspopup=menu]').first().click();
      await p.getByRole('menuitem').last().click();
      await p.getByRole('dialog').locator('button').first().waitFor();
    },
  },
  {
    name: 'time-dialog',
    open: async (p) => {
      await p.goto('/system/time?search=Morocco');
      await p.locator('[data-id=MA] [data-name], [data-id=MA] button').first().click();
      await p.getByRole('dialog').locator('form').waitFor();
    },
  },
  {
    name: 'info',
    route: '/info',
    open: async (p) => {
      await p.goto('/info');
      await p.locator('[data-session]').first().waitFor();
    },
  },
  {
    name: 'new-email',
    route: '/resetEmail',
    open: async (p) => {
      await p.goto('/resetEmail');
      await p.locator('form').waitFor();
    },
  },
  {
    name: 'palette',
    open: async (p) => {
      await p.goto('/wel/home');
      await p.locator('h2').first().waitFor();
      await p.keyboard.press('Control+k');
      await p.getByRole('dialog').locator('input').waitFor();
      await p.keyboard.type('room');
      await p
        .getByRole('dialog')
        .getByRole('option')
        .or(p.getByRole('dialog').locator('[data-action]'))
        .first()
        .waitFor();
    },
  },
  {
    name: 'palette-actions',
    open: async (p) => {
      await p.goto('/wel/home');
      await p.locator('h2').first().waitFor();
      await p.keyboard.press('Control+k');
      await dialog(p).locator('[data-action]').last().waitFor();
      await dialog(p).locator('[data-action]').last().scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'palette-users',
    open: async (p) => {
      await p.goto('/wel/home');
      await p.locator('h2').first().waitFor();
      await p.keyboard.press('Control+k');
      await dialog(p).locator('input').waitFor();
      await p.keyboard.type('admin');
      await dialog(p).locator('[data-action]:has(.tabler-icon-user)').first().waitFor();
    },
  },
  {
    name: 'palette-nothing',
    open: async (p) => {
      await p.goto('/wel/home');
      await p.locator('h2').first().waitFor();
      await p.keyboard.press('Control+k');
      await dialog(p).locator('input').waitFor();
      await p.keyboard.type('nothing is called so');
      await dialog(p).locator('[data-action]').first().waitFor({ state: 'detached' });
      await dialog(p).locator('.mantine-Spotlight-empty').waitFor();
    },
  },
  {
    name: 'menu',
    phone: true,
    open: async (p) => {
      await p.goto('/wel/home');
      await p.locator('h2').first().waitFor();
      await p.locator('header button:has(.tabler-icon-menu-2)').click();
      await dialog(p).locator('a').first().waitFor();
    },
  },
  {
    name: 'organization-menu',
    open: async (p) => {
      await p.goto('/wel/home');
      await p.locator('h2').first().waitFor();
      await p.locator('header button:has(.tabler-icon-selector)').click();
      await p.getByRole('menu').waitFor();
    },
  },
  {
    name: 'zone-menu',
    wide: true,
    open: async (p) => {
      await p.goto('/wel/home');
      await p.locator('h2').first().waitFor();
      await p.locator('header button:has(.tabler-icon-world)').click();
      await p.getByRole('menuitem').first().waitFor();
    },
  },
  {
    name: 'tab-menu',
    wide: true,
    open: async (p) => {
      await list(p);
      await p.locator('button[aria-haspopup=menu]:has(.tabler-icon-dots)').first().click();
      await p.getByRole('menu').waitFor();
    },
  },
  {
    name: 'language-menu',
    wide: true,
    open: async (p) => {
      await p.goto('/wel/home');
      await p.locator('h2').first().waitFor();
      await p.locator('header button:has(.tabler-icon-language)').click();
      await p.getByRole('menu').waitFor();
    },
  },
  {
    name: 'colour-menu',
    wide: true,
    open: async (p) => {
      await p.goto('/wel/home');
      await p.locator('h2').first().waitFor();
      await p.locator('header button:has(.tabler-icon-palette)').click();
      await p.getByRole('menu').waitFor();
    },
  },
  {
    name: 'user-menu',
    open: async (p) => {
      await p.goto('/wel/home');
      await p.locator('h2').first().waitFor();
      await p.locator('header button[aria-haspopup=menu]').last().click();
      await p.getByRole('menu').waitFor();
    },
  },
  {
    name: 'logout',
    open: async (p) => {
      await p.goto('/wel/home');
      await p.locator('h2').first().waitFor();
      await p.locator('header button[aria-haspopup=menu]').last().click();
      await p.getByRole('menuitem').last().click();
      await p.getByRole('dialog').locator('h2').waitFor();
    },
  },
];

/**
 * What the page of every noun shows: its list, the list without anything in it, one of it, and what adds and deletes
 * one.
 */
function screensOf({ name, menu }: NounDefinition): Screen[] {
  const many = menu.langKey.slice('menu.'.length);
  const { path } = allRoutes.find(({ route }) => route.permission === name && route.path.endsWith('/list'))!.route;
  const open = async (p: Page) => {
    await p.goto(menu.path);
    await p.locator('main :is([data-id], h2)').first().waitFor();
  };
  return [
    { name: many, route: menu.path, open },
    {
      name: `${many}-empty`,
      open: async (p) => {
        await instead(p, 'GET', path, nothing);
        await open(p);
      },
    },
    {
      name: `${name}-drawer`,
      open: async (p) => {
        await open(p);
        await (await firstRow(p)).locator('[data-name], button').first().click();
        await dialog(p).locator('dl').waitFor();
      },
    },
    {
      name: `${name}-delete`,
      wide: true,
      open: async (p) => {
        await open(p);
        await firstRow(p);
        await p.locator('main [data-id] button[aria-haspopup=menu]').last().click();
        await p.getByRole('menuitem').last().click();
        await dialog(p).locator('button').first().waitFor();
      },
    },
    {
      name: `${name}-dialog`,
      open: async (p) => {
        await open(p);
        await p.locator('main header > :is(a, button)').last().click();
        await p.locator('form').waitFor();
      },
    },
  ];
}
const own = new Set(ownScreens.map(({ name }) => name));
/** A screen of a noun that needs more to be seen has its place above, under the same name. */
const namedScreens = [...ownScreens, ...nouns.flatMap(screensOf).filter(({ name }) => !own.has(name))];

/** A page as it opens, of what is first in the list that its route names as the example. */
const screenOf = ({ path, parameters }: PageRoute): Screen => ({
  name: path.slice(1).replaceAll('/', '-').replaceAll('$', ''),
  open: async (page) => {
    let address = path;
    const query = new URLSearchParams();
    for (const { name, inPath, list: from } of parameters) {
      if (from === undefined) throw new Error(`The route ${path} needs an example of ${name} in its staticData`);
      await page.goto(from);
      await firstRow(page);
      const id = (await page.locator('main [data-id]').first().getAttribute('data-id'))!;
      if (inPath) address = address.replace(`$${name}`, encodeURIComponent(id));
      else query.set(name, id);
    }
    await page.goto(query.size === 0 ? address : `${address}?${query}`);
    await page.locator('h1, h2, form').first().waitFor();
  },
});
const shown = new Set([...ownPublicScreens, ...namedScreens].map((s) => s.route));
for (const route of shown)
  if (route !== undefined && !pageRoutes.some(({ path }) => path === route)) throw new Error(`No route is ${route}`);
const others = (isPublic: boolean) =>
  pageRoutes.filter((r) => r.isPublic === isPublic && !shown.has(r.path)).map(screenOf);

/** The pages of all routes, and states of them that a person meets. A new route is among them by itself. */
export const publicScreens: Screen[] = [...ownPublicScreens, ...others(true)];
export const screens: Screen[] = [...namedScreens, ...others(false)];

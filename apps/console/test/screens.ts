import type { Page } from 'playwright-core';
import { nouns, phonebookFiles, type NounDefinition, type storageStates } from '@carillon/contracts';
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

/** Nothing loads and nothing moves any more. A page that is kept for the way back rests as it was left, unseen. */
export const settled = async (page: Page) => {
  await page.waitForFunction(
    () =>
      [...document.querySelectorAll('[aria-busy="true"]')].every((e) => !e.parentElement!.checkVisibility()) &&
      document.querySelector('h1,h2') !== null,
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

/** One that has doors, beside its list. */
const firstGate = async (page: Page) => {
  await list(page, '?model=i16SV&model=i23S&model=i33V&model=GDS3710&state=online');
  await page.locator('[data-id] [data-name], [data-id] button').first().click();
  await page.getByRole('dialog').getByRole('group').getByRole('button').first().waitFor();
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
  configFailed: false,
  lastOnlineAt: null,
  onlineSince: null,
  lastConfigAt: null,
  createdAt: '2026-11-22T09:41:00.000Z',
};
/** In the place of a QR code. */
const chequered = `data:image/svg+xml;base64,${btoa('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><path d="M0 0h1v1H0zM2 0h1v1H2zM1 1h1v1H1zM3 1h1v1H3zM0 2h1v1H0zM2 2h1v1H2zM1 3h1v1H1zM3 3h1v1H3z"/></svg>')}`;
const fill = async (page: Page, fields: Record<string, string>) => {
  for (const [name, value] of Object.entries(fields)) await page.locator(`[name=${name}]`).fill(value);
};
const pickFirst = async (page: Page, nth: number) => {
  await page.locator('.mantine-MultiSelect-input').nth(nth).click();
  await page.getByRole('option').first().click();
  await page.keyboard.press('Escape');
};
const nothing = { records: [], total: 0, size: 20, current: 1 };
const gigabyte = 1_073_741_824;
/** Firmware with two differential packages, in an installation that may have none. */
const firmware = {
  id: '019a0000-0000-7000-8000-00000000f001',
  path: 'mine',
  name: 'Desk phones',
  version: '2.12.18',
  least: '2.4',
  models: ['X7A', 'X6U'],
  description: 'Mends the clock after a power cut.',
  fileName: 'x7a-x6u_2.12.18.img',
  size: 96_468_992,
  sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  deltas: ['2.12.17', '2.12.16'].map((from) => ({
    from,
    format: 'maker' as const,
    fileName: `x7a-x6u_${from}-to-2.12.18.zip`,
    size: 8_388_608,
    sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  })),
  deltaOrders: [
    { from: '2.12.15', state: 'making' as const, progress: 40, msg: null },
    {
      from: '2.11.3',
      state: 'failed' as const,
      progress: 0,
      msg: null,
    },
  ],
  url: '/api/f/resource/firmware/019a0000-0000-7000-8000-00000000f001/file',
  notice: { whom: 'company', at: null, sentAt: null },
  updatedAt: '2026-11-22T09:41:00.000Z',
};
const openFirmware = async (page: Page, ...others: (typeof firmware)[]) => {
  const records = [firmware, ...others];
  await instead(page, 'GET', '/api/f/resource/firmware/list', { ...nothing, records, total: records.length });
  await page.goto('/resources/firmwares');
  await (await firstRow(page)).locator('[data-name], button').first().click();
  await dialog(page).locator('tbody tr').first().waitFor();
};
/** Webhooks in each of their states, with what they were sent, in an installation that may have none. */
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
  await page.goto(path);
  return firstRow(page);
};
/** Chooses an action of the first webhook. */
const webhookAction = async (page: Page, icon: string) => {
  const row = await webhooksAt(page, '/system/webhook');
  await row.locator('button[aria-haspopup=menu]').last().click();
  await page.locator(`[role=menuitem]:has(.tabler-icon-${icon})`).click();
  await dialog(page).locator('form').waitFor();
};
/** The list of a noun whose company uses so much of its storage. */
const storage = (name: string, path: string, used: number, state: (typeof storageStates)[number]): Screen => ({
  name,
  open: async (page) => {
    await instead(page, 'GET', '/api/f/resource/storage', { used, quota: 50 * gigabyte, state });
    await page.goto(path);
    await page.locator('main [role=meter]').waitFor();
    await page.locator('main :is([data-id], h2)').first().waitFor();
  },
});

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
/** A company that has FCS, or had it. */
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
  const told = { server, fcs: true, closed: !room.enabled, devices: [], updatedAt: '2026-11-22T09:41:00.000Z' };
  await instead(page, 'GET', '/api/f/provisioning/sipAccount/list', {
    ...nothing,
    total: 2,
    records: ['7000', '7001'].map((number) => ({
      ...common,
      ...told,
      id: `019a0000-0000-7000-8000-00000000${number}`,
      name: `Reception ${number}`,
      number,
      displayName: 'Front desk',
      status: 'unassigned',
    })),
  });
};

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

/** A line of stock, and with a company one that it was given to. */
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
/** The channel orders of a reseller: some free, some with its channels. */
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
  await p.goto('/channel/allocatedList');
  await p.locator('main [data-id]').first().waitFor();
}
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

const taskId = '019a0000-0000-7000-8000-0000000000a1';
const countsOf = (success: number, fail: number) => ({
  total: success + fail,
  success,
  fail,
  timeout: 0,
  cancel: 0,
  process: 0,
  wait: 0,
});
/** Every month, and not begun. */
const waitingTask = {
  id: taskId,
  number: 41,
  name: 'Locate the phones of the second floor',
  action: 'locate',
  type: 'cycle',
  status: 'wait',
  params: { seconds: 60 },
  file: null,
  files: [],
  counts: countsOf(0, 0),
  schedule: {
    type: 'cycle',
    begin: '2031-01-01T02:30',
    end: '2032-01-01T02:30',
    repeat: { every: 'monthWeekday', ordinal: 2, weekday: 2 },
  },
  timeZone: 'Europe/Berlin',
  durationMinutes: 90,
  sync: 20,
  versionRange: { from: '2.10.1', to: '2.12.1' },
  beginAt: '2031-01-14T01:30:00.000Z',
  endAt: '2031-12-09T01:30:00.000Z',
  runs: 0,
  dueAt: '2031-01-14T01:30:00.000Z',
  missed: 0,
  windowEndsAt: null,
  rollout: null,
  stage: 1,
  planned: null,
  pausedAt: null,
  pausedFor: null,
  health: null,
  overrideFreeze: false,
  approval: null,
  pace: null,
  waitingIdle: 0,
  creatorId: taskId,
  creatorName: 'clara.meyer',
  createdAt: '2026-11-24T08:00:00.000Z',
  startedAt: null,
  endedAt: null,
  expanded: true,
  whole: true,
};
/** The same, which somebody else has to approve. */
const askedTask = {
  ...waitingTask,
  dueAt: null,
  approval: { state: 'asked', devices: 1_240, askedAt: waitingTask.createdAt, by: null, at: null, reason: null },
};
/** The same after three runs, of which one time was missed. */
const repeatedTask = {
  ...waitingTask,
  counts: countsOf(38, 2),
  runs: 3,
  missed: 1,
  startedAt: '2026-11-24T09:00:00.000Z',
  endedAt: '2026-11-24T09:01:00.000Z',
};
/** One that goes in stages, of which the first failed too often. */
const stagedTask = {
  ...repeatedTask,
  name: 'Locate the phones of all branches, a few first',
  status: 'process',
  runs: 1,
  counts: countsOf(95, 5),
  endedAt: null,
  dueAt: null,
  rollout: { stages: [5, 25, 100], pauseAt: 5 },
  pace: {
    retry: { tries: 3, of: ['busy', 'timeout'], firstSeconds: 60 },
    spreadMinutes: 30,
    siteSync: 2,
    sitePerMinute: 10,
  },
  planned: 2_000,
  pausedAt: '2026-11-24T09:01:00.000Z',
  pausedFor: 'failures',
};
/** One whose changed devices fare worse than the rest. */
const unwellTask = {
  ...stagedTask,
  rollout: { stages: [5, 25, 100], pauseAt: 5, rollback: true, health: { minutes: 30, pauseAt: 10 } },
  counts: countsOf(100, 0),
  pausedFor: 'health',
  health: {
    stage: 1,
    beganAt: '2026-11-24T09:00:00.000Z',
    endsAt: '2026-11-24T09:30:00.000Z',
    judgedUntil: null,
    found: {
      changed: { devices: 100, offline: 3, lines: 22, restarts: 14 },
      rest: { devices: 1_874, offline: 37, lines: 19, restarts: 2 },
      worse: ['lines', 'restarts'],
    },
  },
};
/** One that brought firmware, of which some devices can go back. */
const upgradeTask = {
  ...repeatedTask,
  name: 'Desk phones to 2.14.0 in all branches',
  action: 'firmwareUpgrade',
  params: { firmwareId: taskId, differential: true, downgrade: false, whenIdle: true },
  file: { id: taskId, name: 'Desk phones', version: '2.14.0' },
  files: [],
  status: 'fail',
  runs: 1,
  dueAt: null,
};
/** A task beside the list, with what else is asked of it. */
const oneTask = async (p: Page, task: object, row: object = {}) => {
  const at = `/api/f/task/task/${taskId}`;
  await instead(p, 'GET', at, task);
  await instead(p, 'GET', `${at}/run/list`, {
    ...nothing,
    total: 3,
    records: ['rerun', 'runNow', 'schedule'].map((cause, n) => ({
      run: 3 - n,
      cause,
      dueAt: null,
      startedAt: `2026-11-2${4 - n}T09:00:00.000Z`,
      endedAt: `2026-11-2${4 - n}T09:01:00.000Z`,
      status: 'fail',
      counts: countsOf(38, 2),
    })),
  });
  await instead(p, 'GET', `${at}/device/list`, {
    ...nothing,
    total: 1,
    records: [
      {
        run: 3,
        deviceId: device.id,
        mac: device.mac,
        name: device.name,
        model: device.model,
        status: 'fail',
        progress: null,
        code: 'unsupported',
        codeValues: null,
        message: 'X7A',
        tryNumber: 1,
        nextAt: null,
        tried: [],
        online: true,
        sentAt: null,
        updatedAt: '2026-11-24T09:01:00.000Z',
        durationMs: null,
        ...row,
      },
    ],
  });
  await instead(p, 'GET', `${at}/meant/list`, {
    ...nothing,
    total: 3,
    records: ['Reception desk 1', 'Reception desk 2', 'Lobby'].map((name, n) => ({
      deviceId: device.id.replace(/.$/, String(n)),
      name,
      mac: device.mac.replace(/.$/, String(n)),
      model: device.model,
      firmware: n === 2 ? null : '2.12.1',
      online: n !== 2,
    })),
  });
  await p.goto(`/task/list?task=${taskId}`);
};
const firmwareOf = (n: number, path: string, name: string, version: string, models: string[]) => ({
  id: `019a0000-0000-7000-8000-0000000000f${n}`,
  path,
  name,
  version,
  models,
  description: '',
  fileName: 'desk.bin',
  size: 16_000_000,
  sha256: 'a'.repeat(64),
  url: '/desk.bin',
  notice: { whom: 'nobody', at: null, sentAt: null },
  updatedAt: device.createdAt,
});
const withFirmware = async (p: Page) => {
  const records = [
    firmwareOf(1, 'mine', 'Desk phones of the second floor', '2.4.10', ['X7A', 'X6U']),
    firmwareOf(2, 'official', 'Door station', '2.12.18.5', ['i16SV', 'i23S', 'i33V', 'i62', 'i64', 'X303P Pro']),
  ];
  await instead(p, 'GET', '/api/f/resource/firmware/list', { records, total: 2, current: 1, size: 20 });
  for (const one of records) await instead(p, 'GET', `/api/f/resource/firmware/${one.id}`, one);
  await p.goto(`/task/addTask?action=firmwareUpgrade&file=${records[0]!.id}`);
  await p.locator('main form [role=status]').first().waitFor();
};
/** A resource file with several files, in an installation that may have none. */
const resourceFile = {
  id: '019a0000-0000-7000-8000-00000000f003',
  name: 'Bells of the reception',
  type: 'ringtone',
  description: 'For the desks at the entrance.',
  fileNames: 'bell-long.wav;bell-short.wav',
  files: ['bell-long.wav', 'bell-short.wav'].map((name, n) => ({
    name,
    size: 262_144,
    sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    url: `/api/f/resource/resourceFile/019a0000-0000-7000-8000-00000000f003/file/${n + 1}`,
  })),
  url: '/api/f/resource/resourceFile/019a0000-0000-7000-8000-00000000f003/file/1',
  size: 524_288,
  updatedAt: device.createdAt,
};
const withResourceFile = async (p: Page) => {
  const words = { ...resourceFile, id: resourceFile.id.replace('f003', 'f004'), name: 'Words', type: 'languagePack' };
  const records = [resourceFile, { ...words, fileNames: 'words.xml' }];
  await instead(p, 'GET', '/api/f/resource/resourceFile/list', { records, total: 2, current: 1, size: 20 });
  for (const one of records) await instead(p, 'GET', `/api/f/resource/resourceFile/${one.id}`, one);
};
/** Configuration files, in an installation that may have none. */
const configFile = {
  id: '019a0000-0000-7000-8000-00000000f005',
  name: 'Reception phones',
  description: 'Labels and time zone of the ground floor.',
  models: ['X7A', 'X6U'],
  fileName: 'reception.cfg',
  size: 12_288,
  version: 3,
  updatedAt: device.createdAt,
};
const withConfigFile = async (p: Page) => {
  const other = { ...configFile, id: configFile.id.replace('f005', 'f006'), name: 'Doors', models: [], version: 1 };
  const records = [configFile, { ...other, fileName: 'doors.xml' }];
  await instead(p, 'GET', '/api/f/resource/configFile/list', { records, total: 2, current: 1, size: 20 });
  for (const one of records) await instead(p, 'GET', `/api/f/resource/configFile/${one.id}`, one);
};
const offline: Record<string, string> = {
  en_US: 'The device is offline.',
  zh_CN: '设备离线。',
  ko: '장치가 오프라인입니다.',
  pt_BR: 'O dispositivo está offline.',
};
const copyOfTask = async (p: Page) => {
  await instead(p, 'GET', `/api/f/task/task/${taskId}`, waitingTask);
  await instead(p, 'GET', `/api/f/task/task/${taskId}/target`, {
    target: { filter: { state: ['online', 'offline'] } },
  });
  await p.goto(`/task/addTask?copy=${taskId}`);
  await p.locator('main form [role=status]').nth(1).waitFor();
};

/** A template, in an installation that may have none. */
const withTemplate = async (p: Page) => {
  const { name, action, params, schedule, timeZone, durationMinutes, sync, versionRange, rollout, pace } = stagedTask;
  const order = { action, params, schedule, timeZone, durationMinutes, sync, versionRange, rollout, pace };
  const template = { ...order, id: taskId, name, target: null, overrideFreeze: false, creatorName: 'admin' };
  await instead(p, 'GET', '/api/f/task/template/list', {
    records: [
      { ...template, updatedAt: device.createdAt, own: true },
      { ...template, id: taskId.replace(/.$/, 'e'), name: 'Every night', updatedAt: device.createdAt, own: false },
    ],
  });
  await p.goto('/task/addTask');
  await p.locator('main form').waitFor();
};

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
  { name: 'device-doors', open: firstGate },
  {
    name: 'door-ask',
    open: async (p) => {
      await firstGate(p);
      await p.getByRole('dialog').getByRole('group').getByRole('button').first().click();
      await p.getByRole('dialog').locator('form').waitFor();
    },
  },
  {
    name: 'door-task',
    open: async (p) => {
      await p.goto('/task/addTask?action=doorControl');
      await p.locator('form input').first().waitFor();
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
    name: 'action-dialog-file',
    open: async (p) => {
      await withResourceFile(p);
      await p.goto(`/device/deviceDetail?id=${await firstDevice(p)}`);
      await p.locator('main h1 ~ div button:has(.tabler-icon-file-download)').click();
      await dialog(p).locator('form button[type=submit]').click();
      await p.locator('[aria-invalid=true]').first().waitFor();
    },
  },
  {
    name: 'action-dialog-refused',
    refused: true,
    open: async (p) => {
      await p.route('**/api/f/task/task', (route) =>
        route.fulfill({
          status: 409,
          json: {
            code: 409,
            success: false,
            error: 'device.offline',
            msg: offline[route.request().headers()['carillon-language'] ?? 'en_US'],
            requestId: '7d3f0c52-5d1a-4f0e-9c5b-2f6a1f0b8e11',
            data: {},
          },
        }),
      );
      await p.goto(`/device/deviceDetail?id=${await firstDevice(p)}`);
      await p.locator('main h1 ~ div button:not([aria-haspopup])').last().click();
      await dialog(p).locator('form button[type=submit]').click();
      await dialog(p).locator('[role=alert] button').waitFor();
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
      await instead(p, 'GET', '/api/f/device/site', [{ id: device.orgId, name: 'Hotel', path: ['Hotel'] }]);
      await instead(p, 'GET', '/api/f/device/line/server', [
        { id: device.orgId, name: 'PBX', address: 'pbx.example.com' },
      ]);
      await instead(p, 'POST', '/api/f/device/device', {
        device,
        secret: 'q8Zt3vXh2mKc7RrYw5Lp',
        connect: { address: 'mqtts://devices.example.com:8883', qr: chequered },
        also: [{ id: device.orgId, name: 'Lobby phone', line: 1 }],
      });
      await p.goto('/device/addDevice');
      await p.locator('form').waitFor();
      await fill(p, { mac: device.mac, name: device.name, sn: device.sn });
      for (const name of ['model', 'siteId', 'serverId']) {
        await p.locator(`div:has(+ input[name=${name}]) input`).click();
        await p.getByRole('option').first().click();
      }
      await p.locator('button[type=submit]').click();
      await p.locator('main dl').waitFor();
    },
  },
  {
    name: 'replace-device',
    open: async (p) => {
      await p.goto(`/device/deviceDetail?id=${await firstDevice(p)}`);
      await p.locator('main h1 ~ div button[aria-haspopup=menu]').click();
      await p.getByRole('menuitem').nth(-2).click();
      await dialog(p).locator('form').waitFor();
      await dialog(p).locator('button[type=submit]').click();
      await dialog(p).locator('[aria-invalid=true]').first().waitFor();
    },
  },
  {
    name: 'device-replaced',
    open: async (p) => {
      const id = await firstDevice(p);
      await instead(p, 'POST', `/api/f/device/device/${id}/replace`, {
        device,
        secret: 'q8Zt3vXh2mKc7RrYw5Lp',
        connect: { address: 'mqtts://devices.example.com:8883', qr: chequered },
      });
      await p.goto(`/device/deviceDetail?id=${id}`);
      await p.locator('main h1 ~ div button[aria-haspopup=menu]').click();
      await p.getByRole('menuitem').nth(-2).click();
      await dialog(p).locator('form').waitFor();
      await fill(p, { mac: device.mac, sn: device.sn });
      await dialog(p).locator('button[type=submit]').click();
      await dialog(p).locator('dl').waitFor();
    },
  },
  {
    name: 'edit-devices',
    wide: true,
    open: async (p) => {
      await p.goto('/device/list');
      await p.locator('[data-id]').first().waitFor();
      await p.locator('thead input[type=checkbox]').click();
      await p.locator('main [role=region] button:has(svg)').nth(0).waitFor();
      await p.locator('main [role=region] button:has(.tabler-icon-pencil)').click();
      await dialog(p).locator('form').waitFor();
    },
  },
  {
    name: 'device-changes',
    wide: true,
    open: async (p) => {
      const change = {
        id: device.id,
        kind: 'edit',
        set: { model: 'X6U', site: 'Hotel', server: 'PBX' },
        status: 'done',
        total: 1284,
        done: 1271,
        unchanged: 10,
        failed: 3,
        createdAt: device.createdAt,
      };
      await instead(p, 'GET', '/api/f/device/change', [
        change,
        { ...change, id: device.orgId, kind: 'delete', set: {}, status: 'process', done: 400, unchanged: 0, failed: 0 },
      ]);
      await p.goto('/device/list');
      await p.locator('progress').waitFor();
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
      await p.locator('[name=downloadMbit]').fill('20');
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
    name: 'fcs-accounts',
    open: async (p) => {
      await fcs(p, { enabled: true, limit: 50, used: 2 });
      await p.goto('/account/sip/sipAccount?kind=fcs');
      await p.getByRole('note').waitFor();
    },
  },
  {
    name: 'fcs-accounts-off',
    open: async (p) => {
      await fcs(p, { enabled: false, limit: 50, used: 2 });
      await p.goto('/account/sip/sipAccount?kind=fcs');
      await p.getByRole('note').waitFor();
    },
  },
  {
    name: 'fcs-add',
    route: '/account/sip/addFcsAccount',
    open: async (p) => {
      await fcs(p, { enabled: true, limit: 50, used: 2 });
      await p.goto('/account/sip/addFcsAccount');
      await p.locator('[name=range]').check();
      await p.locator('[name=from]').fill('8000');
      await p.locator('[name=to]').fill('8199');
    },
  },
  {
    name: 'fcs-add-off',
    open: async (p) => {
      await fcs(p, { enabled: false, limit: 0, used: 0 });
      await p.goto('/account/sip/addFcsAccount');
      await p.getByRole('note').waitFor();
    },
  },
  {
    name: 'mail-server',
    route: '/system/mailServer',
    open: async (p) => {
      await instead(p, 'GET', '/api/f/notification/mailServer', {
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
      await p.goto('/system/mailServer');
      await p.locator('main form').first().waitFor();
    },
  },
  {
    name: 'mail-server-none',
    open: async (p) => {
      await instead(p, 'GET', '/api/f/notification/mailServer', { server: null, installation: false });
      await p.goto('/system/mailServer');
      await p.locator('main form').first().waitFor();
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
      // The first one leads to the page that edits all of it.
      await p.getByRole('menuitem').nth(1).click();
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
    name: 'task-waiting-drawer',
    open: async (p) => {
      await oneTask(p, waitingTask);
      await dialog(p).locator('dl').waitFor();
    },
  },
  {
    name: 'task-approval',
    open: async (p) => {
      await oneTask(p, askedTask);
      await dialog(p).locator('tbody tr').nth(2).waitFor();
    },
  },
  {
    name: 'task-approval-anew',
    open: async (p) => {
      await oneTask(p, { ...repeatedTask, dueAt: null, approval: { ...askedTask.approval, devices: 1_402 } });
      await dialog(p).locator('tbody tr').nth(6).waitFor();
    },
  },
  {
    name: 'task-approval-refuse',
    open: async (p) => {
      await oneTask(p, askedTask);
      await dialog(p).locator('section').first().locator('button').last().click();
      await p.locator('textarea[name=reason]').waitFor();
    },
  },
  {
    name: 'task-approved',
    open: async (p) => {
      const approval = { ...askedTask.approval, state: 'approved', by: 'bruno.costa', at: '2026-11-24T08:30:00.000Z' };
      await oneTask(p, { ...repeatedTask, approval });
      await dialog(p).locator('tbody tr').nth(2).waitFor();
    },
  },
  {
    name: 'task-refused',
    open: async (p) => {
      const reason = 'The branches in the south move on Thursday. Please leave them out until then.';
      const answer = { state: 'refused', by: 'bruno.costa', at: '2026-11-24T08:30:00.000Z', reason };
      const approval = { ...askedTask.approval, ...answer };
      await oneTask(p, { ...askedTask, status: 'cancel', endedAt: answer.at, approval });
      await dialog(p).locator('dl').waitFor();
    },
  },
  {
    name: 'tasks-asked',
    open: async (p) => {
      await instead(p, 'GET', '/api/f/task/task/list', { records: [askedTask], total: 1, current: 1, size: 20 });
      await p.goto('/task/list?approval=asked');
      await p.locator('[data-id]').first().waitFor();
    },
  },
  {
    name: 'approval-rule',
    route: '/system/approval',
    open: async (p) => {
      await instead(p, 'GET', '/api/f/task/approval/rule', { devices: 50, actions: ['firmwareUpgrade', 'reboot'] });
      await p.goto('/system/approval');
      await p.locator('main form').first().waitFor();
    },
  },
  {
    name: 'approval-rule-off',
    open: async (p) => {
      await instead(p, 'GET', '/api/f/task/approval/rule', { devices: null, actions: [] });
      await p.goto('/system/approval');
      await p.locator('main form').first().waitFor();
    },
  },
  {
    name: 'task-runs-drawer',
    open: async (p) => {
      await oneTask(p, repeatedTask);
      await dialog(p).locator('tbody tr').nth(2).waitFor();
    },
  },
  {
    name: 'task-paused-drawer',
    open: async (p) => {
      await oneTask(p, stagedTask);
      await dialog(p).locator('[aria-current=step]').waitFor();
    },
  },
  {
    name: 'task-unwell-drawer',
    open: async (p) => {
      await oneTask(p, unwellTask);
      await dialog(p).locator('[data-worse]').first().waitFor();
    },
  },
  {
    name: 'task-run-again',
    open: async (p) => {
      await oneTask(p, { ...repeatedTask, status: 'fail', dueAt: null });
      await dialog(p).locator('button:has(.tabler-icon-refresh)').click();
      await p.locator('[role=dialog] [role=radiogroup]').waitFor();
    },
  },
  {
    name: 'task-rollback',
    open: async (p) => {
      await instead(p, 'GET', `/api/f/task/task/${taskId}/rollback`, {
        versions: [
          { version: '2.12.22.2', model: 'X5U', count: 1_204, firmware: { id: taskId, name: 'Desk phones' } },
          { version: '2.12.16.17', model: 'X3U Pro', count: 1, firmware: { id: taskId, name: 'Desk phones' } },
          { version: '2.12.1.9', model: 'X4U', count: 38, firmware: null },
        ],
      });
      await oneTask(p, upgradeTask);
      await dialog(p).locator('button:has(.tabler-icon-arrow-back-up)').click();
      await p.locator('[role=dialog] [role=radiogroup]').waitFor();
      await p.locator('[role=dialog] [role=status] li').nth(2).waitFor();
    },
  },
  {
    name: 'task-add',
    route: '/task/addTask',
    open: async (p) => {
      await p.goto('/task/addTask');
      await p.locator('main form').waitFor();
    },
  },
  {
    name: 'task-add-stages',
    open: async (p) => {
      await p.goto('/task/addTask');
      await p.locator('input[name=inStages]').check();
      await p.locator('input[name=stages]').fill('50, 20');
      await p.locator('input[name=watches]').check();
      await p.locator('input[name=watchMinutes]').fill('');
      await p.locator('main button[type=submit]').click();
      await p.locator('input[name=stages][aria-invalid=true]').waitFor();
      await p.locator('input[name=unwellAt]').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'task-add-pace',
    open: async (p) => {
      await p.goto('/task/addTask?action=reboot');
      await p.locator('input[name=retries]').check();
      await p.locator('input[name=tries]').fill('');
      await p.locator('main button[type=submit]').click();
      await p.locator('input[name=tries][aria-invalid=true]').waitFor();
    },
  },
  {
    name: 'task-templates',
    open: async (p) => {
      await withTemplate(p);
      await p.locator('main form .mantine-Button-root[data-variant=subtle]').first().click();
      await dialog(p).locator('li').nth(1).waitFor();
    },
  },
  {
    name: 'task-template-save',
    open: async (p) => {
      await oneTask(p, stagedTask);
      await instead(p, 'GET', `/api/f/task/task/${taskId}/target`, { target: { ids: [device.id] } });
      await dialog(p).locator('button:has(.tabler-icon-template)').click();
      await p.locator('input[name=templateName]').waitFor();
    },
  },
  {
    name: 'task-by-hand',
    open: async (p) => {
      await oneTask(p, stagedTask, {
        status: 'wait',
        code: null,
        message: null,
        online: false,
        tryNumber: 2,
        nextAt: '2031-03-04T02:30:00.000Z',
        tried: [{ at: '2026-11-24T09:01:00.000Z', code: 'busy', message: 'X7A' }],
      });
      await dialog(p).locator('tbody button').click();
      await p.locator('[role=dialog] [role=dialog], [role=dialog]').nth(1).waitFor();
    },
  },
  {
    name: 'task-add-refused',
    open: async (p) => {
      await p.goto('/task/addTask');
      await p.locator('main button[type=submit]').click();
      await p.locator('[aria-invalid=true]').first().waitFor();
    },
  },
  {
    name: 'task-add-firmware',
    open: async (p) => {
      await withFirmware(p);
      await p.getByRole('combobox').nth(1).click();
      await p.getByRole('option').nth(1).waitFor();
    },
  },
  {
    name: 'task-add-no-firmware',
    open: async (p) => {
      await instead(p, 'GET', '/api/f/resource/firmware/list', nothing);
      await p.goto('/task/addTask?action=firmwareUpgrade');
      await p.locator('main form a[href$="/resources/firmwares"]').waitFor();
      await p.locator('main button[type=submit]').click();
      await p.locator('[aria-invalid=true]').first().waitFor();
    },
  },
  {
    name: 'task-add-resource',
    open: async (p) => {
      await withResourceFile(p);
      await p.goto(`/task/addTask?action=resourceUpgrade&file=${resourceFile.id}`);
      await p.locator('main form [role=status]').first().waitFor();
      await p.getByRole('combobox').nth(1).click();
      await p.getByRole('option').nth(1).waitFor();
    },
  },
  {
    name: 'task-add-config',
    open: async (p) => {
      await withConfigFile(p);
      await p.goto(`/task/addTask?action=configUpdate&file=${configFile.id}`);
      await p.locator('main form [role=status]').first().waitFor();
      await p.getByRole('combobox').nth(2).click();
      await p.getByRole('option').nth(1).waitFor();
    },
  },
  {
    name: 'task-add-config-models',
    open: async (p) => {
      await withConfigFile(p);
      await p.goto('/task/addTask?action=configUpdate');
      await p.locator('main form [role=status]').first().waitFor();
      await p.getByRole('combobox').nth(1).click();
      await p.getByRole('option').nth(1).click();
      const pairs = p.locator('main form fieldset').first();
      for (const nth of [0, 1]) {
        await pairs.getByRole('combobox').nth(nth).click();
        await p.getByRole('option').first().click();
      }
      await pairs.locator('button').last().click();
      await p.locator('main form button[type=submit]').click();
      await pairs.locator('[role=alert]').first().waitFor();
    },
  },
  {
    name: 'config-file-drawer',
    open: async (p) => {
      await withConfigFile(p);
      await p.goto(`/resources/configFiles?config=${configFile.id}`);
      await dialog(p).locator('dl').waitFor();
    },
  },
  {
    name: 'resource-file-drawer',
    open: async (p) => {
      await withResourceFile(p);
      await p.goto(`/resources/fileLists?resource=${resourceFile.id}`);
      await dialog(p).locator('dl').waitFor();
    },
  },
  {
    name: 'task-copy',
    open: async (p) => {
      await copyOfTask(p);
    },
  },
  {
    name: 'task-review',
    open: async (p) => {
      await copyOfTask(p);
      await p.locator('main button[type=submit]').click();
      await p.locator('main tbody tr').nth(4).waitFor();
    },
  },
  {
    name: 'task-review-approval',
    open: async (p) => {
      await copyOfTask(p);
      await p.route('**/api/f/task/task/preview?*', async (route) => {
        const response = await route.fetch();
        const body = (await response.json()) as { data: object };
        await route.fulfill({ response, json: { ...body, data: { ...body.data, needsApproval: true } } });
      });
      await p.locator('main button[type=submit]').click();
      await p.locator('main [role=note]').waitFor();
    },
  },
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
      await p.goto('/system/companyKey');
      await p.getByRole('progressbar').waitFor();
    },
  },
  {
    name: 'company-key-change',
    open: async (p) => {
      const madeAt = '2026-11-24T08:30:00.000Z';
      await instead(p, 'GET', '/api/f/provisioning/companyKey', { madeAt, renewal: null });
      await instead(p, 'GET', '/api/f/resource/companyKey', { madeAt: null, renewal: null });
      await p.goto('/system/companyKey');
      await p.locator('section:has(#key-accounts) button').click();
      await dialog(p).locator('form').waitFor();
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
      await p.locator('fieldset input').last().check();
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
    name: 'channel-order-macs',
    open: async (p) => {
      await withOrders(p);
      await p.goto('/channel/allocatedSubChannel');
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
      const made = { made: 1, devices: [{ id, mac, model, name: 'X7A 7EB2', secret }] };
      await instead(p, 'POST', '/api/f/device/channelOrder/importToDevice', made, 201);
      await p.goto('/channel/importToDevice');
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
      const claim = { id: two.id, name: 'A hospital group with a long name', model: 'X7A', at: two.inAt };
      const held = { ...one.company!, since: one.inAt, connected: true };
      await instead(p, 'GET', '/api/f/device/macDispute/list', [{ mac: one.mac, holder: held, claims: [claim] }]);
      await p.goto('/system/company');
      await p.locator('main button:has(.tabler-icon-gavel)').click();
      await dialog(p).locator('code').first().waitFor();
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
  ...['names', 'mail', 'fcs', 'imports', 'certificates', 'apps', 'legal'].map((tab): Screen => ({
    name: `config-${tab}`,
    route: '/system/config',
    open: async (p) => {
      await p.goto(`/system/config?tab=${tab}`);
      await p.locator('main form, main h2, main button, main input[type=checkbox]').first().waitFor();
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
  { name: 'firmware-drawer', open: openFirmware },
  {
    name: 'firmware-delta-add',
    open: async (p) => {
      await openFirmware(p);
      await dialog(p).locator('section button:has(.tabler-icon-upload)').click();
      await dialog(p).locator('form').waitFor();
    },
  },
  {
    name: 'firmware-delta-make',
    open: async (p) => {
      const id = '019a0000-0000-7000-8000-00000000f002';
      await openFirmware(p, { ...firmware, id, version: '2.12.14', deltas: [], deltaOrders: [] });
      await dialog(p).locator('section button:has(.tabler-icon-file-diff)').click();
      await dialog(p).locator('form .mantine-Select-input').click();
      await p.locator('.mantine-Select-option').first().waitFor();
    },
  },
  {
    name: 'firmware-delta-delete',
    wide: true,
    open: async (p) => {
      await openFirmware(p);
      await dialog(p).locator('tbody button').first().click();
      await dialog(p).locator('form').waitFor();
    },
  },
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
      await p.goto('/system/webhook');
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
      await p.goto('/system/webhook');
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
      await p.goto('/system/webhook/deliveries');
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
  storage('storage-low', '/resources/firmwares', 44 * gigabyte, 'low'),
  storage('storage-full', '/resources/fileLists', 50 * gigabyte, 'full'),
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
        // The other buttons of the header may be there before the one that needs a permission.
        await p.locator('main header > :is(a, button):has(.tabler-icon-plus)').click();
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

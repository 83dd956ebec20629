import type { Page } from 'playwright-core';

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
export const list = async (page: Page, query = '') => {
  await page.goto(`/device/list${query}`);
  await page.locator('[data-id]').first().waitFor();
  await page.locator('main header :is(a, button)').first().waitFor();
};
/**
 * What a call answers instead of being made: a state that a person meets after something was changed is shown, and
 * nothing is changed for it.
 */
export const instead = (page: Page, method: string, path: string, data: unknown, status = 200) =>
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
export const dialog = (page: Page) => page.getByRole('dialog');
/** The first record of the list that is open. */
export const firstRow = async (page: Page) => {
  await page.locator('main :is([data-id], h2)').first().waitFor();
  const row = page.locator('main [data-id]').first();
  if ((await row.count()) === 0) throw new NothingToShow('the list is empty');
  return row;
};
/** The last entry of the menu of the first row that has one. */
export const lastOfRow = async (page: Page) => {
  await page.locator('main [data-id] button[aria-haspopup=menu]').last().click();
  await page.getByRole('menuitem').last().click();
  await dialog(page).locator('form').waitFor();
};
export const device = {
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
export const fill = async (page: Page, fields: Record<string, string>) => {
  for (const [name, value] of Object.entries(fields)) await page.locator(`[name=${name}]`).fill(value);
};
export const nothing = { records: [], total: 0, size: 20, current: 1 };
export const offline: Record<string, string> = {
  en_US: 'The device is offline.',
  zh_CN: '设备离线。',
  ko: '장치가 오프라인입니다.',
  pt_BR: 'O dispositivo está offline.',
};

import type { Page } from 'playwright-core';
import { visit } from '../visit.ts';
import { mock, pathOf } from '../mock.ts';

/** A screen in a realistic state, and how to open it. */
export interface Screen {
  name: string;
  /** The route whose page it shows: the route then needs no screen of its own. */
  route?: string;
  /** Not on a phone. */
  wide?: true;
  /** On a phone only. */
  phone?: true;
  /** A call is refused in it, which the browser logs on its console. */
  refused?: true;
  /** Differs from the same screen of another noun in its texts only; the first set of tests leaves it out. */
  alike?: boolean;
  open: (page: Page) => Promise<void>;
}
/** Waits until nothing loads or moves. A kept page stays hidden as it was left. */
export const settled = async (page: Page) => {
  await page.waitForFunction(
    () =>
      [...document.querySelectorAll('[aria-busy="true"]')].every((e) => !e.parentElement!.checkVisibility()) &&
      document.querySelector('h1,h2') !== null,
  );
  // An animation that is not rendered never finishes: three seconds are enough for all others.
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
/** The installation has no data for a screen. */
export class NothingToShow extends Error {}
export const list = async (page: Page, query = '') => {
  await visit(page, `/device/list${query}`);
  await page.locator('[data-id]').first().waitFor();
  await page.locator('main header :is(a, button)').first().waitFor();
};
/** Mocks the response of a call, to show a state after a change without changing anything. */
export const instead = (page: Page, method: string, path: string, data: unknown, status = 200) =>
  mock(page, method, pathOf(path), () => ({
    status,
    json: {
      code: status < 300 ? 200 : status,
      success: status < 300,
      msg: '',
      requestId: '7d3f0c52-5d1a-4f0e-9c5b-2f6a1f0b8e11',
      data,
      ...(status < 300 ? {} : (data as object)),
    },
  }));
/** Changes what the server answers to a call, to show a state that the installation does not have. */
export const changed = <T>(page: Page, path: string, change: (data: T) => unknown, method = 'GET') =>
  mock(
    page,
    method,
    pathOf(path),
    ({ real }) => ({ json: { ...(real as object), data: change((real as { data: T }).data) } }),
    true,
  );
export const dialog = (page: Page) => page.getByRole('dialog');
/** Returns the first record of the open list. */
export const firstRow = async (page: Page) => {
  await page.locator('main :is([data-id], h2)').first().waitFor();
  const row = page.locator('main [data-id]').first();
  if ((await row.count()) === 0) throw new NothingToShow('the list is empty');
  return row;
};
/** Chooses the last entry in the menu of the last row with one. */
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
  channel: null,
  certificate: null,
  lines: [],
  calls: 0,
  capabilities: [],
  unsupported: [],
  configVersion: null,
  configDriftedAt: null,
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

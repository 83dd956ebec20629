import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
  type Request,
} from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { eventually } from '@carillon/testing';
import { chromiumOptions } from '@carillon/testing/chromium';
import { Platform, type PlatformOptions } from '@carillon/testing/platform';
import { fillLogin, type Person } from './page.ts';

export { fillLogin } from './page.ts';

/** The installation of this lane: files of different lanes run at the same time, and none meets what another's did. */
export const lane = () =>
  inject('products')[(Number(process.env['VITEST_POOL_ID'] ?? 1) - 1) % inject('products').length]!;

/** Unfolds the groups of the menu. */
export async function unfoldMenu(page: Page): Promise<void> {
  const menu = page.getByRole('navigation', { name: 'Menu' });
  const folded = menu.locator('[aria-expanded]');
  await folded.first().waitFor();
  for (const group of await folded.all()) {
    if ((await group.getAttribute('aria-expanded')) === 'false') await group.click();
    await group.and(menu.locator('[aria-expanded=true]')).waitFor();
  }
}

/** One for all files of a lane; Playwright ends it with the process. */
let running: Promise<Browser> | undefined;
const chromiumOfLane = (): Promise<Browser> => (running ??= chromium.launch(chromiumOptions));

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

export interface Visit {
  context: BrowserContext;
  page: Page;
}

/**
 * A browser before the running product, or before one of its own with other settings. Every `visit` is a context of its
 * own, closed with its test: a page that is left open asks and draws anew whatever changes while the next ones are
 * tested.
 */
export function useProduct(own?: PlatformOptions | (() => Promise<PlatformOptions>)) {
  let browser: Browser;
  let platform: Platform;
  let sessions: Promise<Record<'folded' | 'unfolded', StorageState>> | undefined;
  const opened = new Set<BrowserContext>();
  const answers: string[] = [];

  beforeAll(async () => {
    platform = own
      ? await Platform.start(typeof own === 'function' ? await own() : own)
      : await Platform.join(lane().folder);
    browser = await chromiumOfLane();
  });
  beforeEach(() => {
    answers.length = 0;
  });
  // What stood on the pages of a test that failed, in words: where it ran there is nobody to look.
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') {
      for (const page of [...opened].flatMap((context) => context.pages())) {
        const parts = await page.locator('header:not(section header), main, [role=dialog]').all();
        const words = await Promise.all(
          parts.map((part) => part.ariaSnapshot({ timeout: 5_000 }).then((text) => text.slice(0, 3_000), String)),
        );
        console.error(`${task.name}\n${page.url()}\n${words.join('\n')}`);
      }
      console.error(`answers until ${new Date().toISOString().slice(17, 23)}\n${answers.join('\n')}`);
    }
    // Nobody waits for it: one that is closed while its page goes elsewhere may not answer.
    for (const context of opened) void context.close().catch(() => undefined);
    opened.clear();
  });
  afterAll(async () => {
    // Such a one is not left to the files that follow.
    const closed = await eventually(() => {
      if (browser.contexts().length > 0) throw new Error('open');
    }, 3_000).then(
      () => true,
      () => false,
    );
    if (!closed) {
      running = undefined;
      await browser.close();
    }
    if (own) await platform?.close();
  });

  async function visit(options: BrowserContextOptions = {}): Promise<Visit> {
    const context = await browser.newContext({
      baseURL: platform.ready.url,
      viewport: { width: 1440, height: 940 },
      locale: 'en-US',
      ...options,
    });
    context.setDefaultTimeout(45_000);
    opened.add(context);
    const ended = (r: Request, how: string | number | undefined) => {
      if (r.url().includes('/api/')) {
        answers.push(`${new Date().toISOString().slice(17, 23)} ${r.method()} ${new URL(r.url()).pathname} ${how}`);
        answers.splice(0, answers.length - 40);
      }
    };
    context.on('response', (r) => ended(r.request(), r.status()));
    context.on('requestfailed', (r) => ended(r, r.failure()?.errorText));
    return { context, page: await context.newPage() };
  }

  /** A person who has logged in by the form and is at `to`. */
  async function loggedIn(to = '/device/list', who: Person = platform.ready.admin): Promise<Visit> {
    const visitor = await visit();
    await visitor.page.goto(to);
    await fillLogin(visitor.page, who);
    await visitor.page.waitForURL(`**${to}`);
    return visitor;
  }

  /** Logs the administrator in once, for contexts that leave the session as it is. The browser keeps an unfolded menu. */
  async function logIn(): Promise<Record<'folded' | 'unfolded', StorageState>> {
    const { context, page } = await loggedIn('/wel/home');
    await page.getByRole('navigation', { name: 'Menu' }).locator('[aria-expanded]').first().waitFor();
    const folded = await context.storageState();
    await unfoldMenu(page);
    return { folded, unfolded: await context.storageState() };
  }
  const administratorSession = async (menu: 'folded' | 'unfolded'): Promise<StorageState> =>
    (await (sessions ??= logIn()))[menu];

  /** A page of the administrator, with the session of an earlier login. */
  async function administrator(to = '/device/list'): Promise<Visit> {
    const visitor = await visit({ storageState: await administratorSession('unfolded') });
    await visitor.page.goto(to);
    if (to.startsWith('/device/list')) await visitor.page.locator('[data-id]').first().waitFor();
    return visitor;
  }
  return {
    visit,
    loggedIn,
    administrator,
    /** The administrator's session, with the groups of the menu folded as they are at first. */
    session: () => administratorSession('folded'),
    browser: () => browser,
    get platform() {
      return platform;
    },
  };
}

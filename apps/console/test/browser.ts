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

/** Returns the installation of this lane: files of different lanes run in parallel, without affecting each other. */
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

/** One browser for all files of a lane; Playwright ends it with the process. */
let running: Promise<Browser> | undefined;
const chromiumOfLane = (): Promise<Browser> => (running ??= chromium.launch(chromiumOptions));

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

export interface Visit {
  context: BrowserContext;
  page: Page;
}

/**
 * Opens a browser on the running product, or on a separate one with other settings. Every `visit` has its own context,
 * which is closed after its test: an open page would keep polling and rendering during the next tests.
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
  // Prints the pages of a failed test as text, because nobody sees them in CI.
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
    // Not awaited: a context that is closed during a navigation may not answer.
    for (const context of opened) void context.close().catch(() => undefined);
    opened.clear();
  });
  afterAll(async () => {
    // Do not pass a hanging browser on to the following files.
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

  /** Logs a user in through the form and opens `to`. */
  async function loggedIn(to = '/device/list', who: Person = platform.ready.admin): Promise<Visit> {
    const visitor = await visit();
    await visitor.page.goto(to);
    await fillLogin(visitor.page, who);
    await visitor.page.waitForURL(`**${to}`);
    return visitor;
  }

  /**
   * Logs the administrator in once, for contexts that do not change the session. The browser remembers an unfolded
   * menu.
   */
  async function logIn(): Promise<Record<'folded' | 'unfolded', StorageState>> {
    const { context, page } = await loggedIn('/wel/home');
    await page.getByRole('navigation', { name: 'Menu' }).locator('[aria-expanded]').first().waitFor();
    const folded = await context.storageState();
    await unfoldMenu(page);
    return { folded, unfolded: await context.storageState() };
  }
  const administratorSession = async (menu: 'folded' | 'unfolded'): Promise<StorageState> =>
    (await (sessions ??= logIn()))[menu];

  /** Opens a page as the administrator, with the session of an earlier login. */
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
    /** Returns the administrator's session, with the menu groups folded as initially. */
    session: () => administratorSession('folded'),
    browser: () => browser,
    get platform() {
      return platform;
    },
  };
}

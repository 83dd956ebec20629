import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import AxeBuilder from '@axe-core/playwright';
import { chromium, type Page } from 'playwright-core';
import { executablePath, fillLogin, flags } from './test/page.ts';
import { overflows } from './test/overflows.ts';

/**
 * A picture of every screen in four languages, both schemes and two widths, into reports/shots/. Fails on text that
 * does not fit, a missing text, an error on the page's console, or an axe finding (WCAG 2.2 AA).
 *
 *   node apps/console/shots.ts --url http://127.0.0.1:8080 --user admin --password … [--out DIR] [--only list,login] [--languages en_US] [--schemes light] [--widths 1440]
 */
export interface ShotOptions {
  url: string; user: string; password: string; out: string;
  languages?: readonly string[]; schemes?: readonly ('light' | 'dark')[]; widths?: readonly number[]; only?: readonly string[];
  told?: (line: string) => void;
}

interface Screen { name: string; wide?: true; open: (page: Page) => Promise<void> }

const settled = async (page: Page) => {
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null && document.querySelector('h1,h2') !== null);
  await page.evaluate(async () => { await Promise.all(document.getAnimations().filter((a) => a.effect?.getTiming().iterations !== Number.POSITIVE_INFINITY).map((a) => a.finished.catch(() => {}))); await document.fonts.ready; });
};
const list = async (page: Page) => { await page.goto('/device/list?limit=50'); await page.locator('[data-id]').first().waitFor(); await page.locator('main header :is(a, button)').first().waitFor(); };
const firstTask = async (page: Page) => { await page.goto('/task/list'); await page.locator('[data-id], main h2').first().waitFor(); if (await page.locator('[data-id]').count() === 0) throw new Error('there is no task to show: reboot a device first'); await page.locator('[data-id] [data-name], [data-id] button').first().click(); await page.getByRole('dialog').getByRole('progressbar').waitFor(); };
const firstDevice = async (page: Page) => { await list(page); return page.locator('[data-id]').first().getAttribute('data-id'); };

const publicScreens: Screen[] = [
  { name: 'login', open: async (p) => { await p.goto('/login'); await p.locator('form').waitFor(); } },
  { name: 'login-refused', open: async (p) => { await p.goto('/login'); await p.locator('button[type=submit]').click(); await p.locator('[aria-invalid=true]').first().waitFor(); } },
  ...['404', '403', '500'].map((code): Screen => ({ name: code, open: async (p) => { await p.goto(`/${code}`); await p.locator('h1').waitFor(); } })),
];
const screens: Screen[] = [
  { name: 'home', open: async (p) => { await p.goto('/wel/home'); await p.locator('h2').first().waitFor(); } },
  { name: 'list', open: list },
  { name: 'list-selected', wide: true, open: async (p) => { await list(p); await p.locator('thead input').click(); await p.locator('[data-id] input').nth(1).click(); await p.locator('main [role=region] strong').waitFor(); await p.locator('[data-id]').nth(4).hover(); } },
  { name: 'list-filter', wide: true, open: async (p) => { await p.goto('/device/list?state=online&state=offline&search=a'); await p.locator('thead').waitFor(); await p.locator('[role=search] button[aria-haspopup=dialog]').first().click(); await p.getByRole('dialog').waitFor(); } },
  { name: 'list-no-match', open: async (p) => { await p.goto('/device/list?search=nothing-is-called-so&state=online'); await p.locator('h2').waitFor(); } },
  { name: 'device-drawer', open: async (p) => { await p.goto(`/device/list?id=${await firstDevice(p)}`); await p.getByRole('dialog').locator('dl').waitFor(); } },
  { name: 'action-dialog', open: async (p) => { await p.goto(`/device/deviceDetail?id=${await firstDevice(p)}`); await p.locator('main h1 ~ div button').last().click(); await p.getByRole('dialog').locator('form').waitFor(); } },
  { name: 'device', open: async (p) => { await p.goto(`/device/deviceDetail?id=${await firstDevice(p)}`); await p.locator('dl').waitFor(); } },
  { name: 'device-tasks', open: async (p) => { await p.goto(`/device/deviceDetail?tab=tasks&id=${await firstDevice(p)}`); await p.locator('dl').waitFor(); } },
  { name: 'add-device', open: async (p) => { await p.goto('/device/addDevice'); await p.locator('form').waitFor(); await p.locator('[name=mac]').fill('0C:38:3E'); await p.locator('button[type=submit]').click(); await p.locator('[aria-invalid=true]').first().waitFor(); } },
  { name: 'tasks', open: async (p) => { await p.goto('/task/list'); await p.locator('[data-id], h2').first().waitFor(); } },
  { name: 'task-drawer', open: firstTask },
  { name: 'operation-log', open: async (p) => { await p.goto('/system/operationLog'); await p.locator('[data-id], h2').first().waitFor(); } },
  { name: 'palette', open: async (p) => { await p.goto('/wel/home'); await p.locator('h2').first().waitFor(); await p.keyboard.press('Control+k'); await p.getByRole('dialog').locator('input').waitFor(); await p.keyboard.type('a'); } },
  { name: 'colour-menu', wide: true, open: async (p) => { await p.goto('/wel/home'); await p.locator('h2').first().waitFor(); await p.locator('header button[aria-haspopup=menu]').nth(2).click(); await p.getByRole('menu').waitFor(); } },
  { name: 'logout', open: async (p) => { await p.goto('/wel/home'); await p.locator('h2').first().waitFor(); await p.locator('header button[aria-haspopup=menu]').last().click(); await p.getByRole('menuitem').last().click(); await p.getByRole('dialog').locator('h2').waitFor(); } },
];

export async function shots(options: ShotOptions): Promise<{ pictures: number; faults: string[] }> {
  const { languages = ['en_US', 'zh_CN', 'ko', 'pt_BR'], schemes = ['light', 'dark'], widths = [1440, 390], told = () => {} } = options;
  const faults: string[] = [];
  let pictures = 0;
  mkdirSync(options.out, { recursive: true });
  const browser = await chromium.launch({ executablePath, args: flags });
  try {
    const first = await browser.newContext({ baseURL: options.url });
    const login = await first.newPage();
    await login.goto('/login');
    await fillLogin(login, { username: options.user, password: options.password });
    await login.waitForURL('**/wel/home');
    const storageState = await first.storageState();
    await first.close();

    for (const language of languages) for (const scheme of schemes) for (const width of widths) {
      for (const [all, state] of [[publicScreens, undefined], [screens, storageState]] as const) {
        const context = await browser.newContext({ baseURL: options.url, viewport: { width, height: width < 641 ? 844 : 940 }, colorScheme: scheme, reducedMotion: 'reduce', ...(width < 641 ? { hasTouch: true, isMobile: true } : {}), ...(state ? { storageState: state } : {}) });
        await context.addInitScript((l) => localStorage.setItem('carillon-language', JSON.stringify({ type: 'string', value: l, time: 0 })), language);
        context.setDefaultTimeout(15_000);
        const page = await context.newPage();
        let where = '';
        const fault = (text: string) => { faults.push(`${where}: ${text}`); told(`${where}: ${text}`); };
        page.on('console', (m) => { if (m.type() === 'error' || m.type() === 'warning') fault(`console: ${m.text()}`); });
        page.on('pageerror', (e) => fault(`page: ${e.message}`));
        for (const screen of all) {
          if ((options.only && !options.only.includes(screen.name)) || (screen.wide && width < 641)) continue;
          where = `${screen.name} ${language} ${scheme} ${width}`;
          try {
            await screen.open(page);
            await settled(page);
            await page.screenshot({ path: join(options.out, `${screen.name}-${language}-${scheme}-${width}.png`) });
            pictures += 1;
            for (const text of await page.evaluate(overflows)) fault(`text does not fit: ${text}`);
            // Names, roles and contrast are the same in every language.
            if (language !== languages[0]) continue;
            const axe = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']).analyze();
            for (const v of axe.violations) fault(`axe ${v.id}: ${v.nodes.slice(0, 3).map((n) => `${n.target.join(' ')} ${n.failureSummary?.split('\n')[1]?.trim() ?? ''}`).join(' | ')}`);
          } catch (e) { fault(`could not be shown: ${(e as Error).message.split('\n')[0]}`); }
        }
        await context.close();
      }
      told(`${language} ${scheme} ${width}: ${pictures} pictures so far`);
    }
  } finally { await browser.close(); }
  return { pictures, faults };
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { url: { type: 'string' }, user: { type: 'string' }, password: { type: 'string' }, out: { type: 'string', default: 'reports/shots' }, only: { type: 'string' }, languages: { type: 'string' }, schemes: { type: 'string' }, widths: { type: 'string' } } });
  // By the environment too: arguments are seen by every user of the machine.
  const user = values.user ?? process.env['CARILLON_SHOTS_USER'];
  const password = values.password ?? process.env['CARILLON_SHOTS_PASSWORD'];
  if (!values.url || !user || !password) { console.error('--url and a user with his password are needed (CARILLON_SHOTS_USER and CARILLON_SHOTS_PASSWORD, or --user and --password)'); process.exit(2); }
  const result = await shots({
    url: values.url, user, password, out: values.out, told: (line) => console.log(line),
    ...(values.only ? { only: values.only.split(',') } : {}), ...(values.languages ? { languages: values.languages.split(',') } : {}),
    ...(values.schemes ? { schemes: values.schemes.split(',') as ('light' | 'dark')[] } : {}), ...(values.widths ? { widths: values.widths.split(',').map(Number) } : {}),
  });
  writeFileSync(join(values.out, 'faults.txt'), result.faults.join('\n'));
  console.log(`${result.pictures} pictures, ${result.faults.length} faults`);
  process.exit(result.faults.length > 0 ? 1 : 0);
}

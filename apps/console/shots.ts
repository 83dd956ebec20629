import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Page } from 'playwright-core';
import { chromiumOptions } from '@carillon/testing/chromium';
import { axeFaults } from './test/axe.ts';
import { fillLogin } from './test/page.ts';
import { keyboardFaults, noteOpener } from './test/keyboard.ts';
import { overflows } from './test/overflows.ts';
import { NothingToShow, publicScreens, screens, settled, type Screen } from './test/screens.ts';

const screensOfPage = 40;
const firstLines = (error: Error): string => error.message.split('\n').slice(0, 12).join(' / ');

/**
 * A picture of every screen in four languages, both schemes and two widths, into reports/shots/. Fails on text that
 * does not fit, a missing text, an error on the page's console, or an axe finding (WCAG 2.2 AA).
 *
 *   node apps/console/shots.ts --url http://127.0.0.1:8080 --user admin --password … [--out DIR]
 *     [--only list,login] [--languages en_US] [--schemes light] [--widths 1440]
 */
export interface ShotOptions {
  url: string;
  user: string;
  password: string;
  out: string;
  languages?: readonly string[];
  schemes?: readonly ('light' | 'dark')[];
  widths?: readonly number[];
  only?: readonly string[];
  /**
   * Whether the pictures are taken; where nobody looks at them, each screen and scheme is counted as one all the same.
   */
  taken?: boolean;
  /** How many pages are open at once. */
  lanes?: number;
  /** Whether axe looks, too; it takes most of the time. */
  axe?: boolean;
  /** Whether each screen is gone through with the keyboard, too, or which are. */
  keyboard?: boolean | ((screen: Screen) => boolean);
  told?: (line: string) => void;
}

/**
 * What has no time-out of its own gets one: a page that does not answer is a fault of that page, not the end of all.
 */
const answered = <T>(asked: Promise<T>, what: string, withinMs = 60_000): Promise<T> => {
  let late: NodeJS.Timeout;
  return Promise.race([
    asked,
    new Promise<never>((_, reject) => {
      late = setTimeout(() => reject(new Error(`${what} did not answer within ${withinMs / 1000} s`)), withinMs);
    }),
  ]).finally(() => clearTimeout(late));
};

/** Whether a page that did not do what was asked of it runs and draws: the first thing to know of it. */
const drawn = (page: Page): Promise<string> =>
  answered(
    page.evaluate(() =>
      Promise.race([
        new Promise<string>((done) => {
          requestAnimationFrame(() => done('drawn'));
        }),
        new Promise<string>((done) => {
          setTimeout(() => done('not drawn'), 2_000);
        }),
      ]).then((word) => `${document.visibilityState}, ${word}`),
    ),
    'the page',
    5_000,
  ).catch((e: Error) => e.message);

export async function shots(options: ShotOptions): Promise<{ pictures: number; faults: string[] }> {
  const {
    languages = ['en_US', 'zh_CN', 'ko', 'pt_BR'],
    schemes = ['light', 'dark'],
    widths = [1440, 390],
    lanes = 2,
    taken = true,
    axe: checks = true,
    keyboard = false,
    told = () => {},
  } = options;
  const faults: string[] = [];
  let pictures = 0;
  mkdirSync(options.out, { recursive: true });
  const browser = await chromium.launch(chromiumOptions);
  try {
    const first = await browser.newContext({ baseURL: options.url });
    const login = await first.newPage();
    await login.goto('/login');
    await fillLogin(login, { username: options.user, password: options.password });
    // A first password leads to the choice of an own one, from every screen.
    await login.waitForURL(/\/(wel\/home|resetPassword)$/);
    await settled(login);
    if (login.url().endsWith('/resetPassword'))
      throw new Error(
        `${options.user} has to choose a password first: log in once, then give it by CARILLON_SHOTS_PASSWORD`,
      );
    const storageState = await first.storageState();
    await first.close();

    const walk = async (language: string, width: number) => {
      const phone = width < 641;
      for (const [all, state] of [
        [publicScreens, undefined],
        [screens, storageState],
      ] as const) {
        const wanted = all.filter((s) => (options.only?.includes(s.name) ?? true) && !(phone ? s.wide : s.phone));
        if (wanted.length === 0) continue;
        const context = await browser.newContext({
          baseURL: options.url,
          viewport: { width, height: phone ? 844 : 940 },
          colorScheme: schemes[0]!,
          reducedMotion: 'reduce',
          ...(phone ? { hasTouch: true, isMobile: true } : {}),
          ...(state ? { storageState: state } : {}),
        });
        await context.addInitScript(
          (l) => localStorage.setItem('carillon-language', JSON.stringify({ type: 'string', value: l, time: 0 })),
          language,
        );
        if (keyboard) await context.addInitScript(noteOpener);
        context.setDefaultTimeout(45_000);
        let page = await context.newPage();
        let where = '';
        const fault = (text: string) => {
          faults.push(`${where}: ${text}`);
          told(`${where}: ${text}`);
        };
        // A list of options holds nothing that could take the focus, which the library remarks: it stays in the field.
        let refused = false;
        const listen = () => {
          page.on('console', (m) => {
            if (refused && m.text().startsWith('Failed to load resource')) return;
            if (
              (m.type() === 'error' || m.type() === 'warning') &&
              !m.text().startsWith('[@mantine/hooks/use-focus-trap]')
            )
              fault(`console: ${m.text()} ${m.location().url}`);
          });
          page.on('pageerror', (e) => fault(`page: ${e.message}`));
        };
        listen();
        for (const [n, screen] of wanted.entries()) {
          // A page that has shown many screens holds ten times the memory of a new one, and takes its time for it.
          if (n > 0 && n % screensOfPage === 0) {
            await page.close();
            page = await context.newPage();
            listen();
          }
          where = `${screen.name} ${language} ${schemes[0]} ${width}`;
          refused = screen.refused === true;
          try {
            // A page in which a screen does not come gives way to a new one, once, and it is told.
            await page.unrouteAll({ behavior: 'ignoreErrors' });
            await answered(screen.open(page), 'the page', 90_000).catch(async (error: Error) => {
              if (error instanceof NothingToShow) throw error;
              told(`${where}: ${firstLines(error)}, asked again in a new page`);
              void page.close().catch(() => {});
              page = await context.newPage();
              listen();
              await screen.open(page);
            });
            // A screen is opened once; the other scheme is a change of its colours.
            for (const [i, scheme] of schemes.entries()) {
              where = `${screen.name} ${language} ${scheme} ${width}`;
              await page.emulateMedia({ colorScheme: scheme });
              await page.waitForFunction((s) => document.documentElement.dataset['mantineColorScheme'] === s, scheme);
              await answered(settled(page), 'the page');
              if (taken)
                await page.screenshot({ path: join(options.out, `${screen.name}-${language}-${scheme}-${width}.png`) });
              pictures += 1;
              if (i === 0)
                for (const text of await answered(page.evaluate(overflows), 'the page'))
                  fault(`text does not fit: ${text}`);
              // Names, roles and contrast are the same in every language.
              if (!checks || language !== languages[0]) continue;
              for (const text of await answered(axeFaults(page, i > 0), 'axe')) fault(text);
            }
            if (language === languages[0] && (typeof keyboard === 'boolean' ? keyboard : keyboard(screen)))
              for (const text of await keyboardFaults(page)) fault(`keyboard: ${text}`);
            if (schemes.length > 1) await page.emulateMedia({ colorScheme: schemes[0]! });
          } catch (e) {
            // An installation of today has no task yet; the browser tests count the pictures, so nothing hides there.
            if (e instanceof NothingToShow) told(`${where}: left out, ${e.message}`);
            else fault(`could not be shown: ${firstLines(e as Error)}; it is ${await drawn(page)}`);
          }
        }
        await context.close();
      }
      told(`${language} ${width}: ${pictures} pictures so far`);
    };
    // Those with the checks by axe take longest: they begin first.
    const parts = languages.flatMap((language) => widths.map((width) => [language, width] as const));
    await Promise.all(
      Array.from({ length: lanes }, async () => {
        for (let part = parts.shift(); part !== undefined; part = parts.shift()) await walk(...part);
      }),
    );
  } finally {
    await browser.close();
  }
  return { pictures, faults };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      user: { type: 'string' },
      password: { type: 'string' },
      out: { type: 'string', default: 'reports/shots' },
      only: { type: 'string' },
      languages: { type: 'string' },
      schemes: { type: 'string' },
      widths: { type: 'string' },
      'no-axe': { type: 'boolean', default: false },
      keyboard: { type: 'boolean', default: false },
    },
  });
  // By the environment too: arguments are seen by every user of the machine.
  const user = values.user ?? process.env['CARILLON_SHOTS_USER'];
  const password = values.password ?? process.env['CARILLON_SHOTS_PASSWORD'];
  if (!values.url || !user || !password) {
    console.error(
      '--url and a user with his password are needed (CARILLON_SHOTS_USER and CARILLON_SHOTS_PASSWORD, or --user and --password)',
    );
    process.exit(2);
  }
  const only = values.only?.split(',');
  const known = [...publicScreens, ...screens].map((screen) => screen.name);
  for (const name of only ?? []) {
    if (known.includes(name)) continue;
    const like = known.filter((other) => other.toLowerCase().includes(name.toLowerCase()));
    console.error(
      `No screen is called ${name}: ${like.join(', ') || 'their names are in apps/console/test/screens.ts'}`,
    );
    process.exit(2);
  }
  const result = await shots({
    url: values.url,
    user,
    password,
    out: values.out,
    axe: !values['no-axe'],
    keyboard: values.keyboard,
    told: (line) => console.log(line),
    ...(only ? { only } : {}),
    ...(values.languages ? { languages: values.languages.split(',') } : {}),
    ...(values.schemes ? { schemes: values.schemes.split(',') as ('light' | 'dark')[] } : {}),
    ...(values.widths ? { widths: values.widths.split(',').map(Number) } : {}),
  });
  writeFileSync(join(values.out, 'faults.txt'), result.faults.join('\n'));
  console.log(`${result.pictures} pictures, ${result.faults.length} faults`);
  process.exit(result.faults.length > 0 ? 1 : 0);
}

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium, type Browser } from 'playwright-core';
import { chromiumOptions } from '@carillon/testing/chromium';
import { fillLogin } from './test/page.ts';
import { fitsWidth, ScreenWalk, type Scheme } from './test/screen-walk.ts';
import { publicScreens, screens } from './test/screens.ts';
import { settled, type Screen } from './test/screen/screen.ts';

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
  schemes?: readonly Scheme[];
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

export async function shots(options: ShotOptions): Promise<{ pictures: number; faults: string[]; dialogs: string[] }> {
  const {
    languages = ['en_US', 'zh_CN', 'ko', 'pt_BR'],
    schemes = ['light', 'dark'],
    widths = [1440, 390],
    lanes = 2,
    taken = true,
    axe = true,
    keyboard = false,
    told = () => {},
  } = options;
  const faults: string[] = [];
  let pictures = 0;
  const dialogs = new Set<string>();
  const browser = await chromium.launch(chromiumOptions);
  try {
    const session = await logIn(browser, options);
    const walkAll = async (language: string, width: number) => {
      for (const [all, own] of [
        [publicScreens, {}],
        [screens, { session }],
      ] as const) {
        const wanted = all.filter((s) => (options.only?.includes(s.name) ?? true) && fitsWidth(s, width));
        if (wanted.length === 0) continue;
        // Names, roles and contrast are the same in every language.
        const isFirst = language === languages[0];
        const walk = await ScreenWalk.begin(browser, {
          url: options.url,
          language,
          width,
          schemes,
          ...own,
          ...(taken ? { pictures: options.out } : {}),
          axe: axe && isFirst,
          keyboard: (screen) => isFirst && (typeof keyboard === 'boolean' ? keyboard : keyboard(screen)),
          told,
        });
        for (const screen of wanted) faults.push(...(await walk.look(screen)));
        pictures += walk.shown;
        for (const file of walk.dialogs) dialogs.add(file);
        await walk.close();
      }
      told(`${language} ${width}: ${pictures} pictures so far`);
    };
    // Those with the checks by axe take longest: they begin first.
    const parts = languages.flatMap((language) => widths.map((width) => [language, width] as const));
    await Promise.all(
      Array.from({ length: lanes }, async () => {
        for (let part = parts.shift(); part !== undefined; part = parts.shift()) await walkAll(...part);
      }),
    );
  } finally {
    await browser.close();
  }
  return { pictures, faults, dialogs: [...dialogs] };
}

/** Returns the session of the user. Throws when they have to choose a password first. */
async function logIn(browser: Browser, { url, user, password }: ShotOptions) {
  const context = await browser.newContext({ baseURL: url });
  const page = await context.newPage();
  await page.goto('/login');
  await fillLogin(page, { username: user, password });
  // A temporary password leads to the choice of an own one, from every screen.
  await page.waitForURL(/\/(wel\/home|resetPassword)$/);
  await settled(page);
  if (page.url().endsWith('/resetPassword'))
    throw new Error(`${user} has to choose a password first: log in once, then give it by CARILLON_SHOTS_PASSWORD`);
  const session = await context.storageState();
  await context.close();
  return session;
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
      '--url and a user with a password are needed (CARILLON_SHOTS_USER and CARILLON_SHOTS_PASSWORD, or --user and --password)',
    );
    process.exit(2);
  }
  const only = values.only?.split(',');
  const known = [...publicScreens, ...screens].map((screen) => screen.name);
  for (const name of only ?? []) {
    if (known.includes(name)) continue;
    const like = known.filter((other) => other.toLowerCase().includes(name.toLowerCase()));
    console.error(`No screen is called ${name}: ${like.join(', ') || 'their names are in apps/console/test/screen'}`);
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
    ...(values.schemes ? { schemes: values.schemes.split(',') as Scheme[] } : {}),
    ...(values.widths ? { widths: values.widths.split(',').map(Number) } : {}),
  });
  writeFileSync(join(values.out, 'faults.txt'), result.faults.join('\n'));
  console.log(`${result.pictures} pictures, ${result.faults.length} faults`);
  process.exit(result.faults.length > 0 ? 1 : 0);
}

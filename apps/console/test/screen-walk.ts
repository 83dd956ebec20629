import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, ConsoleMessage, Page } from 'playwright-core';
import { axeFaults, axeSource } from './axe.ts';
import { keyboardFaults } from './keyboard.ts';
import { noteOpener } from './keyboard-watch.ts';
import { allowMocks, removeMocks } from './mock.ts';
import { overflows } from './overflows.ts';
import { loadAreasOnce, loadNext } from './visit.ts';
import { NothingToShow, settled, type Screen } from './screen/screen.ts';

export type Scheme = 'light' | 'dark';

export interface ScreenWalkOptions {
  url: string;
  language: string;
  /** Window width in px. */
  width: number;
  /** Each screen is opened in the first scheme and switched to the others. */
  schemes: readonly Scheme[];
  /** The session of a user; absent for the public screens. */
  session?: Exclude<BrowserContextOptions['storageState'], string | undefined>;
  /** Folder for screenshots; none are taken when absent. */
  pictures?: string;
  axe: boolean;
  /** axe checks three rows of each list, and nothing behind an open dialog. */
  sample?: boolean;
  /** Loads each area once and opens other screens inside the loaded page. */
  inside?: boolean;
  keyboard: (screen: Screen) => boolean;
  told: (line: string) => void;
}

/** After this many screens a page uses ten times the memory of a new one and is slow. */
const screensOfPage = 40;
const answerMs = 60_000;
const isPhone = (width: number): boolean => width < 641;

/** Returns whether a screen can be shown at this width. */
export const fitsWidth = (screen: Screen, width: number): boolean =>
  isPhone(width) ? screen.wide !== true : screen.phone !== true;

const firstLines = (error: Error): string => error.message.split('\n').slice(0, 12).join(' / ');

/** Rejects when a page does not answer in time, so that a hanging page does not stop the walk. */
const answered = <T>(asked: Promise<T>, what: string, withinMs = answerMs): Promise<T> => {
  let late: NodeJS.Timeout;
  return Promise.race([
    asked,
    new Promise<never>((_, reject) => {
      late = setTimeout(() => reject(new Error(`${what} did not answer within ${withinMs / 1000} s`)), withinMs);
    }),
  ]).finally(() => clearTimeout(late));
};

/** Returns the files of the open dialogs and drawers. Runs in the page. */
const openDialogs = (): string[] =>
  [...document.querySelectorAll<HTMLElement>('[data-dialog]:has([role=dialog])')].map((e) => e.dataset['dialog']!);

/** Describes whether a page that failed is still running and rendering. */
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

/**
 * Shows one screen after the other in one language and width, and collects the faults of each: text that does not fit
 * or is missing, an error on the page's console, an axe finding (WCAG 2.2 AA), and what the keyboard does not reach.
 */
export class ScreenWalk {
  /** Number of shown screens, counted per scheme. */
  shown = 0;
  /** Files of the dialogs and drawers that were shown. */
  readonly dialogs = new Set<string>();
  private readonly options: ScreenWalkOptions;
  private readonly context: BrowserContext;
  private page!: Page;
  private screensHere = 0;
  private where = '';
  private faults: string[] = [];
  /** Whether a call is expected to be refused in this screen, which the browser logs on its console. */
  private isRefused = false;

  private constructor(context: BrowserContext, options: ScreenWalkOptions) {
    this.context = context;
    this.options = options;
  }

  static async begin(browser: Browser, options: ScreenWalkOptions): Promise<ScreenWalk> {
    if (options.pictures !== undefined) mkdirSync(options.pictures, { recursive: true });
    const context = await browser.newContext({
      baseURL: options.url,
      viewport: { width: options.width, height: isPhone(options.width) ? 844 : 940 },
      colorScheme: options.schemes[0]!,
      reducedMotion: 'reduce',
      ...(isPhone(options.width) ? { hasTouch: true, isMobile: true } : {}),
      ...(options.session ? { storageState: options.session } : {}),
    });
    await context.addInitScript(
      (l) => localStorage.setItem('carillon-language', JSON.stringify({ type: 'string', value: l, time: 0 })),
      options.language,
    );
    await context.addInitScript(noteOpener);
    await allowMocks(context);
    if (options.axe) await context.addInitScript(axeSource);
    context.setDefaultTimeout(45_000);
    const walk = new ScreenWalk(context, options);
    await walk.newPage();
    return walk;
  }

  /** Returns the faults of one screen; by default in all schemes of the walk. */
  async look(screen: Screen, schemes: readonly Scheme[] = this.options.schemes): Promise<string[]> {
    this.faults = [];
    if (this.screensHere >= screensOfPage) {
      await this.page.close();
      await this.newPage();
    }
    this.screensHere += 1;
    this.name(screen, schemes[0]!);
    this.isRefused = screen.refused === true;
    try {
      await this.open(screen, schemes[0]!);
      for (const [i, scheme] of schemes.entries()) await this.lookAt(screen, scheme, i === 0);
      if (this.options.keyboard(screen))
        for (const text of await keyboardFaults(this.page)) this.fault(`keyboard: ${text}`);
    } catch (e) {
      loadNext(this.page);
      // A new installation has no task yet. The browser tests count the shown screens, so nothing is hidden here.
      if (e instanceof NothingToShow) this.options.told(`${this.where}: left out, ${e.message}`);
      else this.fault(`could not be shown: ${firstLines(e as Error)}; it is ${await drawn(this.page)}`);
    }
    return this.faults;
  }

  close(): Promise<void> {
    return this.context.close();
  }

  private name({ name }: Screen, scheme: Scheme): void {
    this.where = `${name} ${this.options.language} ${scheme} ${this.options.width}`;
  }

  private fault(text: string): void {
    this.faults.push(`${this.where}: ${text}`);
    this.options.told(`${this.where}: ${text}`);
  }

  private async newPage(): Promise<void> {
    this.page = await this.context.newPage();
    this.screensHere = 0;
    if (this.options.inside) loadAreasOnce(this.page);
    this.page.on('console', (message) => this.heard(message));
    this.page.on('pageerror', (e) => this.fault(`page: ${e.message}`));
  }

  private heard(message: ConsoleMessage): void {
    const text = message.text();
    if (this.isRefused && text.startsWith('Failed to load resource')) return;
    // The library warns that a list of options has nothing focusable: the focus stays in the field.
    if (text.startsWith('[@mantine/hooks/use-focus-trap]')) return;
    if (message.type() === 'error' || message.type() === 'warning')
      this.fault(`console: ${text} ${message.location().url}`);
  }

  private async open(screen: Screen, scheme: Scheme): Promise<void> {
    await removeMocks(this.page);
    await this.page.emulateMedia({ colorScheme: scheme });
    await answered(screen.open(this.page), 'the page', 90_000);
  }

  private async lookAt(screen: Screen, scheme: Scheme, isFirst: boolean): Promise<void> {
    const { page, options } = this;
    this.name(screen, scheme);
    await page.emulateMedia({ colorScheme: scheme });
    await page.waitForFunction((s) => document.documentElement.dataset['mantineColorScheme'] === s, scheme);
    await answered(settled(page), 'the page');
    if (options.pictures !== undefined) {
      const file = `${screen.name}-${options.language}-${scheme}-${options.width}.png`;
      await page.screenshot({ path: join(options.pictures, file) });
    }
    this.shown += 1;
    for (const file of await answered(page.evaluate(openDialogs), 'the page')) this.dialogs.add(file);
    if (isFirst)
      for (const text of await answered(page.evaluate(overflows), 'the page')) this.fault(`text does not fit: ${text}`);
    if (options.axe)
      for (const text of await answered(axeFaults(page, { further: !isFirst, sample: options.sample ?? false }), 'axe'))
        this.fault(text);
  }
}

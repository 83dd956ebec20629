import { chromium, type Page } from 'playwright-core';
import { bench, percentile, report, runs, spread } from '@carillon/devtools/bench';
import { launch, logIn } from './lib/browser.ts';
import { up } from './lib/instance.ts';

/** The pages of the walk, with the texts that they show once their data is there. */
const pages = [
  ['/device/list', 'Devices'],
  ['/task/list', 'Tasks'],
  ['/system/users', 'Users'],
  ['/system/operationLog', 'Activity log'],
  ['/system/organization', 'Organizations'],
] as const;

/** Returns the time from the click on a menu entry to the frame with the page's rows, as measured in the page. */
const change = (page: Page, path: string, title: string): Promise<number> =>
  page.evaluate(
    async ([path, title]) => {
      // A cached page stays hidden beside the visible one.
      const shown = (selector: string) => [...document.querySelectorAll(selector)].find((e) => e.checkVisibility());
      const there = () => shown('main h1')?.textContent === title && shown('main [data-id], main h2') !== undefined;
      const from = performance.now();
      document.querySelector<HTMLElement>(`nav a[href="${path}"]`)!.click();
      await new Promise<void>((done) => {
        const look = () => {
          if (there()) {
            seen.disconnect();
            done();
          }
        };
        const seen = new MutationObserver(look);
        seen.observe(document.body, {
          childList: true,
          subtree: true,
          characterData: true,
          attributes: true,
          attributeFilter: ['style', 'hidden'],
        });
        look();
      });
      await new Promise<void>((done) => {
        requestAnimationFrame(() => {
          const channel = new MessageChannel();
          channel.port1.onmessage = () => done();
          channel.port2.postMessage(0);
        });
      });
      return performance.now() - from;
    },
    [path, title] as const,
  );

/** Returns the time from the key press to the frame with the results. */
const find = (page: Page, text: string): Promise<number> =>
  page.evaluate(async (text) => {
    const input = document.querySelector<HTMLInputElement>('[role=dialog] input')!;
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!;
    const type = (value: string) => {
      set.call(input, value);
      input.dispatchEvent(new Event('input', { bubbles: true }));
    };
    const frame = () =>
      new Promise<void>((done) => {
        requestAnimationFrame(() => {
          const channel = new MessageChannel();
          channel.port1.onmessage = () => done();
          channel.port2.postMessage(0);
        });
      });
    const shown = () =>
      [...document.querySelectorAll('[role=dialog] [data-action]')].map((a) => ` ${a.textContent!.toLowerCase()}`);
    type('');
    await frame();
    const from = performance.now();
    type(text);
    while (shown().length === 0 || !shown().every((a) => a.includes(` ${text}`)))
      await new Promise((r) => {
        setTimeout(r);
      });
    await frame();
    return performance.now() - from;
  }, text);

/**
 * Measures how soon the shell reacts: another page of the menu with a warm cache, and the palette. Compared with a
 * plain page that swaps a table of 20 rows.
 */
await bench('shell', async () => {
  const instance = await up({ devices: 200 });
  const browser = await chromium.launch(launch);
  try {
    const page = await (
      await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-US' })
    ).newPage();
    await logIn(page, instance);
    await page.locator('nav a[href="/device/list"]').waitFor();
    for (let round = 0; round < 2; round++) for (const [path, title] of pages) await change(page, path, title);

    const bare = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    await bare.setContent('<main></main>');
    const swap = () =>
      bare.evaluate(async () => {
        const from = performance.now();
        document.querySelector('main')!.innerHTML =
          `<h1>${from}</h1><table>${`<tr>${'<td>cell</td>'.repeat(10)}</tr>`.repeat(20)}</table>`;
        await new Promise<void>((done) => {
          requestAnimationFrame(() => {
            const channel = new MessageChannel();
            channel.port1.onmessage = () => done();
            channel.port2.postMessage(0);
          });
        });
        return performance.now() - from;
      });
    const each = new Map<string, number[]>(pages.map(([path]) => [path, []]));
    const floor: number[] = [],
      palette: number[] = [];
    for (let run = 0; run < runs(); run++) {
      for (const [path, title] of pages) {
        each.get(path)!.push(await change(page, path, title));
        floor.push(await swap());
      }
    }
    await page.keyboard.press('Control+k');
    await page.locator('[role=dialog] input').waitFor();
    for (let run = 0; run < runs(); run++)
      for (const text of ['t', 'o', 'd', 'ta', 'h', 'op', 'de']) palette.push(await find(page, text));
    const routes = [...each.values()].flat();
    for (const [path, took] of each)
      process.stdout.write(
        `     ${path.padEnd(22)} ${spread(took).median.toFixed(0)} ms (${spread(took).min.toFixed(0)} to ${spread(took).max.toFixed(0)})\n`,
      );
    const beside = { name: 'a bare page that swaps a table', value: spread(floor).median };
    report(
      {
        name: 'another page of the menu, warm, to the frame with its rows',
        unit: 'ms',
        value: spread(routes).median,
        atMost: 100,
        beside,
      },
      spread(routes),
    );
    report({ name: '… p95', unit: 'ms', value: percentile(routes, 0.95), atMost: 100 });
    report(
      {
        name: 'palette, from the key to the frame with what it finds, p95',
        unit: 'ms',
        value: percentile(palette, 0.95),
        atMost: 50,
        beside,
      },
      spread(palette),
    );
  } finally {
    await browser.close();
    instance.down();
  }
});

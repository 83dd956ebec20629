import { chromium } from 'playwright-core';
import { bench, report, runs, spread } from '@carillon/devtools/bench';
import { launch, logIn } from './lib/browser.ts';
import { up } from './lib/instance.ts';

/**
 * Measures what the browser loads, compressed as the server sends it, and how soon one of 200 rows is checked. Compares
 * with a plain page with 200 native rows.
 */
await bench('console', async () => {
  const instance = await up({ devices: 200 });
  const browser = await chromium.launch(launch);
  try {
    const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    const kinds = new Map<string, string>();
    const bytes = { Script: 0, Stylesheet: 0 };
    session.on('Network.responseReceived', (e) => {
      kinds.set(e.requestId, e.type);
    });
    // Only the compressed bodies: headers are not part of a script.
    session.on('Network.dataReceived', (e) => {
      const kind = kinds.get(e.requestId);
      if (kind === 'Script' || kind === 'Stylesheet') bytes[kind] += e.encodedDataLength;
    });
    await page.goto(`${instance.url}/login`, { waitUntil: 'networkidle' });
    const login = { ...bytes };
    report({ name: 'script of /login, cold', unit: 'kB', value: login.Script / 1000, atMost: 130 });
    report({ name: 'style of /login, cold', unit: 'kB', value: login.Stylesheet / 1000, atMost: 35 });

    await logIn(page, instance);
    await page.waitForLoadState('load');
    await page.waitForTimeout(1_500);
    const home = bytes.Script + bytes.Stylesheet;
    await page.goto(`${instance.url}/device/list?limit=200`, { waitUntil: 'load' });
    await page.locator('tbody tr').first().waitFor();
    await page.waitForTimeout(1_000);
    report({
      name: 'device list, on top of what /wel/home loaded',
      unit: 'kB',
      value: (bytes.Script + bytes.Stylesheet - home) / 1000,
      atMost: 70,
    });
    report({
      name: 'device list, all that /login did not load',
      unit: 'kB',
      value: (bytes.Script + bytes.Stylesheet - login.Script - login.Stylesheet) / 1000,
    });

    const toggle = async (on: typeof page): Promise<number> => {
      const box = on.locator('tbody input[type="checkbox"]').nth(5);
      return box.evaluate(
        (element) =>
          new Promise<number>((done) => {
            const began = performance.now();
            (element as HTMLInputElement).click();
            requestAnimationFrame(() => {
              const channel = new MessageChannel();
              channel.port1.onmessage = () => done(performance.now() - began);
              channel.port2.postMessage(0);
            });
          }),
      );
    };
    const bare = await (await browser.newContext()).newPage();
    await bare.setContent(
      `<table><tbody>${'<tr><td><input type="checkbox"></td>'.concat('<td>cell</td>'.repeat(9), '</tr>').repeat(200)}</tbody></table>`,
    );
    const ours: number[] = [];
    const floor: number[] = [];
    for (let i = 0; i < runs() * 4; i++) {
      ours.push(await toggle(page));
      floor.push(await toggle(bare));
    }
    report(
      {
        name: 'a row among 200 checked, to the next frame',
        unit: 'ms',
        value: spread(ours).median,
        atMost: 100,
        beside: { name: 'a native checkbox in a bare table', value: spread(floor).median },
      },
      spread(ours),
    );
  } finally {
    await browser.close();
    instance.down();
  }
});

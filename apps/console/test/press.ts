import type { CDPSession, Page } from 'playwright-core';

const sessions = new WeakMap<Page, Promise<CDPSession>>();
const tab = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 };

/**
 * Presses a key several times. Sends all presses of Tab at once: Chromium handles them in order, and renders fewer
 * frames between them. An arrow moves the focus a moment later, so each press waits for the one before.
 */
export async function pressTimes(page: Page, key: 'Tab' | 'ArrowDown', times: number): Promise<void> {
  if (key !== 'Tab') {
    for (let i = 0; i < times; i++) await page.keyboard.press(key);
    return;
  }
  if (!sessions.has(page)) sessions.set(page, page.context().newCDPSession(page));
  const session = await sessions.get(page)!;
  const presses = Array.from({ length: times }, () =>
    (['rawKeyDown', 'keyUp'] as const).map((type) => session.send('Input.dispatchKeyEvent', { type, ...tab })),
  );
  await Promise.all(presses.flat());
}

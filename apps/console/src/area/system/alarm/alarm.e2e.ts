import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { deleteMessages, listAlarms, listDevices, listMessages, type DeviceRecord } from '@carillon/contracts';
import { useProduct } from '../../../../test/browser.ts';
import { publishMessage, publishReport } from '../../../../test/publish.ts';

const product = useProduct();

/** Returns a device that is away and has no alarm yet, because other tests raise alarms, too. */
async function quietDevice(): Promise<DeviceRecord> {
  const { call } = product.platform;
  const { records } = await call(listDevices, { query: { state: ['notConfigured', 'offline'], limit: 200 } });
  for (const device of records)
    if ((await call(listAlarms, { query: { objectName: [device.name] } })).total === 0) return device;
  throw new Error('each device that is away has an alarm');
}

it(
  'a tamper alarm ends when acknowledged, a lost registration by itself [NOTE-01/page]',
  { tags: 'slow' },
  async () => {
    const { platform } = product;
    const device = await quietDevice();
    const { page } = await product.administrator(`/alarm?objectName=${encodeURIComponent(device.name)}`);
    await page.getByText('Live', { exact: true }).first().waitFor();
    const row = (name: string) => page.locator('main [data-id]').filter({ hasText: name });
    await page.getByText('Nothing matches these filters').waitFor();

    await publishReport(platform, device, { event: { id: randomUUID(), kind: 'tamper' } });
    // Much faster than the poll of a minute.
    await row('Tamper alarm').getByText('Active').waitFor({ timeout: 20_000 });
    await page.getByRole('button', { name: /unread notification/ }).waitFor();
    await row('Tamper alarm').locator('button, [data-name]').filter({ hasText: 'Tamper alarm' }).first().click();
    const drawer = page.getByRole('dialog', { name: 'Tamper alarm' });
    // Devices that report tampering within a few minutes share one row, also those of other test files.
    const alone = drawer.getByText(`${device.name} reports tampering.`);
    await alone.or(drawer.getByText(/^\d+ devices report tampering\.$/)).waitFor();
    await drawer.getByRole('region', { name: 'Devices' }).getByRole('link', { name: device.name }).waitFor();
    await drawer.getByRole('button', { name: 'Acknowledge' }).click();
    await drawer.getByRole('definition').getByText('Ended', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });

    const line = (status: 'failed' | 'registered') => ({
      state: { lines: [{ line: 1, account: '4711', server: 'pbx.alarm.example', status }] },
    });
    await publishReport(platform, device, line('failed'));
    await row('Account registration failed').getByText('Active').waitFor();
    await row('Server pbx.alarm.example').waitFor();
    // The menu counts the alarms that go on.
    await expect
      .poll(async () => {
        const open = (await platform.call(listAlarms, { query: { state: ['open'], limit: 1 } })).total;
        const menu = page.getByRole('navigation', { name: 'Menu', exact: true });
        const shown = await menu.getByRole('link', { name: /^Alarms/ }).innerText();
        return Number(shown.replaceAll(/\D/g, '')) - open;
      })
      .toBe(0);
    // A silence begins with the narrowest scope, shows its end, and ends where it is shown.
    await row('Account registration failed')
      .getByRole('button', { name: /^Actions for/ })
      .click();
    await page.getByRole('menuitem', { name: 'Silence' }).click();
    const silence = page.getByRole('dialog', { name: 'Silence' });
    const scope = silence.getByRole('combobox', { name: 'Silence what' });
    await expect.poll(() => scope.inputValue()).toBe(`Account registration failed: ${device.name}`);
    await silence.getByText(/^Ends \d{4}-\d\d-\d\d/).waitFor();
    await silence.getByRole('button', { name: 'Silence', exact: true }).click();
    await silence.waitFor({ state: 'detached' });
    await row('Account registration failed')
      .locator('button, [data-name]')
      .filter({ hasText: 'Account registration failed' })
      .first()
      .click();
    const silenced = page.getByRole('dialog', { name: 'Account registration failed' });
    await silenced.getByRole('region', { name: 'Silenced until' }).getByRole('button').click();
    await silenced.getByRole('region', { name: 'Silenced until' }).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await publishReport(platform, device, line('registered'));
    await row('Account registration failed').getByText('Ended').waitFor();
  },
);

it('alarms of devices and other messages have their own tables with level, time and read state [NOTE-01]', async () => {
  const { platform } = product;
  const object = `Zz kinds ${Date.now().toString(36)}`;
  const kinds = [
    [0, 'Account registration failed', 'high'],
    [1, 'Firmware update', 'low'],
    [2, 'Cloud storage is low or full', 'medium'],
    [3, 'Factory reset', 'medium'],
    [4, 'Device reboot', 'low'],
    [5, 'Task failed', 'medium'],
    [6, 'Device offline', 'medium'],
    [9, 'Tamper alarm', 'high'],
  ] as const;
  const values = { account: '2001', percent: 91, count: 2, total: 9, version: '3.1', reason: 'Timeout.' };
  const at = Date.UTC(2026, 5, 7, 8, 9, 10);
  for (const [type, , level] of kinds) await publishMessage(platform, { type, level, objectName: object, values }, at);
  await publishMessage(platform, { type: -2, objectName: object, values }, at);
  const { page } = await product.administrator(`/alarm?objectName=${encodeURIComponent(object)}&sort=title`);
  const rows = page.locator('main [data-id]');
  try {
    await expect.poll(() => rows.count()).toBe(kinds.length);
    const shown = await rows.allInnerTexts();
    for (const [, title, level] of kinds) {
      const row = shown.find((text) => text.includes(title))!;
      expect([title, row?.toLowerCase().includes(level), row?.includes('2026-06-07 08:09:10')]).toEqual([
        title,
        true,
        true,
      ]);
    }
    const seen = (await platform.call(listAlarms, { query: { objectName: [object], limit: 50 } })).records;
    expect(seen.map((a) => [a.type, a.title, a.level]).toSorted((a, b) => Number(a[0]) - Number(b[0]))).toEqual(kinds);
    for (const { content } of seen) expect(shown.some((text) => text.includes(content))).toBe(true);

    // Unread alarms stand out; opening marks one as read for that user, and filters tell the two apart.
    const tamper = rows.filter({ hasText: 'Tamper alarm' });
    const unread = tamper.getByRole('img', { name: 'Unread' });
    await unread.waitFor();
    await tamper.locator('[data-name], button').filter({ hasText: 'Tamper alarm' }).first().click();
    await page.getByRole('dialog', { name: 'Tamper alarm' }).waitFor();
    await page.keyboard.press('Escape');
    await unread.waitFor({ state: 'detached' });
    for (const [read, count] of [
      ['true', 1],
      ['false', kinds.length - 1],
    ] as const) {
      await page.goto(`/alarm?objectName=${encodeURIComponent(object)}&read=${read}`);
      await expect.poll(() => rows.count()).toBe(count);
    }

    // The other table.
    await page.getByRole('navigation', { name: 'Alarms' }).getByRole('button', { name: 'Messages' }).click();
    await page.waitForURL('**/alarm?tableCheck=message');
    await page.goto(`/alarm?tableCheck=message&objectName=${encodeURIComponent(object)}`);
    await expect.poll(() => rows.count()).toBe(1);
    await rows.getByText('New firmware version').waitFor();
  } finally {
    const { records } = await platform.call(listMessages, { query: { search: object, limit: 50 } });
    await platform.call(deleteMessages, { body: records.map((m) => m.id) });
  }
});

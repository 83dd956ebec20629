// @module-tag slow
import { expect, it } from 'vitest';
import { deleteMessages, listDevices, listMessages } from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { useProduct } from '../../../test/browser.ts';
import { publishMessage } from '../../../test/publish.ts';

const product = useProduct();

it('a click on a row opens it beside the list, and the address holds it', { tags: 'slow' }, async () => {
  const { page } = await product.administrator('/wel/home');
  for (const [path, parameter, edit] of [
    ['/device/deviceLog', 'entry', false],
    ['/system/time', 'country', true],
    ['/system/time?table=zones', 'zone', true],
    ['/menu', 'entry', true],
    ['/system/operationLog', 'id', false],
  ] as const) {
    await page.goto(path);
    const id = (await page.locator('main [data-id]').first().getAttribute('data-id'))!;
    // Another row may become the first one meanwhile, and a cell with a link leads elsewhere.
    await page.locator(`main [data-id="${id}"] td:not(:has(a, button, input))`).first().click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('definition').first().waitFor();
    expect(new URL(page.url()).searchParams.get(parameter), path).toBe(id);
    expect(await drawer.getByRole('button', { name: 'Edit' }).count(), path).toBe(edit ? 1 : 0);
    await page.reload();
    await drawer.getByRole('definition').first().waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'hidden' });
    expect(new URL(page.url()).searchParams.get(parameter), path).toBeNull();
    // The keyboard opens it too.
    await page.locator(`main [data-id="${id}"] [data-name]`).press('Enter');
    await drawer.getByRole('definition').first().waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'hidden' });
  }
});

it('an opened message is read and stays open in the list of unread messages', async () => {
  const { platform } = product;
  const object = 'Row that opens';
  try {
    await publishMessage(platform, { type: -2, objectName: object, values: { version: '2.13' } });
    const found = () => platform.call(listMessages, { query: { search: object, limit: 50 } });
    await eventually(async () => expect((await found()).total).toBe(1));
    const { page } = await product.administrator(
      `/alarm?tableCheck=message&read=false&objectName=${encodeURIComponent(object)}`,
    );
    const rows = page.locator('main [data-id]');
    await rows.locator('[data-name]').click();
    const drawer = page.getByRole('dialog', { name: 'New firmware version' });
    await rows.first().waitFor({ state: 'detached' });
    await drawer.getByText(object).first().waitFor();
    expect(await drawer.getByRole('img', { name: 'Unread' }).count()).toBe(0);
    await drawer.getByRole('button', { name: 'Delete' }).click();
    await drawer.waitFor({ state: 'hidden' });
    await eventually(async () => expect((await found()).total).toBe(0));
  } finally {
    const { records } = await platform.call(listMessages, { query: { search: object, limit: 50 } });
    if (records.length > 0) await platform.call(deleteMessages, { body: records.map((m) => m.id) });
  }
});

it('Enter or the down arrow in the search leads to the first row that it finds', async () => {
  const { platform } = product;
  const devices = (await platform.call(listDevices, { query: { sort: '-mac', limit: 2 } })).records;
  const { page } = await product.administrator('/device/list?sort=mac');
  await page.locator('main [data-id]').first().waitFor();
  for (const [key, device] of [
    ['Enter', devices[0]!],
    ['ArrowDown', devices[1]!],
  ] as const) {
    await page.keyboard.press('/');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(device.mac);
    await page.keyboard.press(key);
    await page.locator(`main [data-id="${device.id}"] [data-name]:focus`).waitFor();
    expect(await page.locator('main [data-id]').count()).toBe(1);
  }
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: devices[1]!.name }).waitFor();
});

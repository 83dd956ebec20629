// @module-tag slow
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { acknowledgeAlarms, listAlarms, listDevices } from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { useProduct } from '../../../test/browser.ts';
import { publishReport } from '../../../test/publish.ts';

const product = useProduct();

it('home shows the most severe active alarms live above its charts, and a click opens one', async () => {
  const { platform } = product;
  const [device] = (await platform.call(listDevices, { query: { state: ['online'], sort: '-mac', limit: 1 } })).records;
  const { page } = await product.administrator('/wel/home');
  await page.getByText('Live', { exact: true }).first().waitFor();
  const box = page.getByRole('heading', { name: /^Active alarms/ }).locator('xpath=..');
  await box.waitFor();
  const asked = { state: ['open'], sort: '-level', limit: 5 } as const;
  try {
    await publishReport(platform, device!, { event: { id: randomUUID(), kind: 'tamper' } });
    await eventually(async () =>
      expect((await platform.call(listAlarms, { query: { ...asked, search: device!.name } })).total).toBeGreaterThan(0),
    );
    await expect
      .poll(async () => {
        const { records, total } = await platform.call(listAlarms, { query: asked });
        const shown = (await box.getByRole('listitem').allInnerTexts()).map((text) => text.split('\n')[1]);
        return [shown, await box.locator('small').first().innerText()].join() ===
          [records.map((a) => a.title), String(total)].join()
          ? records[0]!.level
          : shown;
      })
      .toBe('high');
    const charts = page.getByRole('heading', { name: 'Devices and lines over time' });
    expect((await box.boundingBox())!.y).toBeLessThan((await charts.boundingBox())!.y);
    const first = box.getByRole('listitem').first();
    const title = (await first.locator('strong').innerText()).trim();
    await first.getByRole('link').click();
    await page.getByRole('dialog', { name: title }).getByRole('region', { name: 'Devices' }).waitFor();
  } finally {
    const { records } = await platform.call(listAlarms, { query: { state: ['open'], search: device!.name } });
    await platform.call(acknowledgeAlarms, { body: { ids: records.map((a) => a.id) } });
  }
});

import { expect, it } from 'vitest';
import { addTask, listDevices, listOperationLog } from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();

it('a device is located from its row for as long as was typed: it blinks, its task ends, and the operation log says so in words; one that cannot be is left out with the reason in the language of who reads', async () => {
  const { platform } = product;
  const simulated = await platform.devices();
  const recordOf = async ({ mac }: { mac: string }) =>
    (await platform.call(listDevices, { query: { search: mac } })).records[0]!;
  const here = await recordOf(simulated.find((d) => d.online)!);
  const { page } = await product.administrator(`/device/list?search=${here.mac}`);
  await page
    .locator('[data-id]')
    .getByRole('button', { name: /^Actions for / })
    .click();
  await page.getByRole('menuitem', { name: 'Locate', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: `Locate ${here.name}?` });
  await dialog.getByText('Each device blinks and rings').waitFor();
  await dialog.getByLabel('How long, in seconds (5 to 120)').fill('90');
  const before = Date.now();
  await dialog.getByRole('button', { name: 'Locate', exact: true }).click();
  const drawer = page.getByRole('dialog', { name: `Locate ${here.name}` });
  await drawer.getByText(/^Ended \d{4}-/).waitFor();
  const { shows } = (await platform.devices()).find((d) => d.mac === here.mac)!;
  const from = Date.parse(shows!['blinking']!) - 90_000;
  expect([from >= before, from <= Date.now()]).toEqual([true, true]);
  const { records } = await eventually(async () => {
    const found = await platform.call(listOperationLog, { query: { action: ['task.add'], search: here.name } });
    expect(found.total).toBeGreaterThan(0);
    return found;
  });
  await page.goto(`/system/operationLog?id=${records[0]!.id}`);
  await page.getByText('How long, in seconds (5 to 120): 90').first().waitFor();

  // Its hello names what it can do, and this is not among it.
  const away = await recordOf(simulated.find((d) => !d.online)!);
  const { id } = await platform.call(addTask, {
    body: { name: 'Where are you?', action: 'locate', params: {}, target: { ids: [away.id] } },
  });
  await platform.ended(id);
  for (const [language, action, reason] of [
    ['pt_BR', 'Localizar', `O ${away.model} não oferece isto`],
    ['zh_CN', '定位', `${away.model} 不支持此操作`],
  ] as const) {
    await page.evaluate(
      (value) => localStorage.setItem('carillon-language', JSON.stringify({ type: 'string', value, time: 0 })),
      language,
    );
    await page.goto(`/task/list?task=${id}`);
    const task = page.getByRole('dialog', { name: 'Where are you?' });
    await task.getByText(action, { exact: true }).waitFor();
    await task.getByText(reason, { exact: true }).waitFor();
  }
});

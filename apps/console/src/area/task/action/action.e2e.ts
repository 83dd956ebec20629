import { expect, it } from 'vitest';
import { addTask, getDevice, getTask, listAlarms, listDevices, listOperationLog, listTasks } from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();

it(
  'a device is located from its row, and one that cannot be is left out with a translated reason',
  { tags: 'slow' },
  async () => {
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

    // Its hello lists its abilities, and this action is not among them.
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
      await task.locator('td').getByText(reason, { exact: true }).waitFor();
    }
  },
);

it(
  'a phone is reset after its name is typed; the task ends when it is back, without an alarm',
  { tags: 'slow' },
  async () => {
    const { platform } = product;
    const online = new Set((await platform.devices()).filter((d) => d.online).map((d) => d.mac));
    const { records } = await platform.call(listDevices, { query: { state: ['online'], sort: '-name', limit: 200 } });
    const phone = records.find((d) => online.has(d.mac) && d.lines.some((l) => l.status === 'registered'))!;
    const { page } = await product.administrator(`/device/list?search=${phone.mac}`);
    await page
      .locator('[data-id]')
      .getByRole('button', { name: /^Actions for / })
      .click();
    await page.getByRole('menuitem', { name: 'Factory reset', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: `Factory reset ${phone.name}?` });
    await dialog.getByText('Each device loses its configuration and its SIP accounts and restarts.').waitFor();
    const reset = dialog.getByRole('button', { name: 'Factory reset', exact: true });
    expect(await reset.isDisabled()).toBe(true);
    await dialog.getByLabel(`Type ${phone.name} to confirm`).fill('anything');
    expect(await reset.isDisabled()).toBe(true);
    await dialog.getByLabel(`Type ${phone.name} to confirm`).fill(phone.name);
    await reset.click();
    const drawer = page.getByRole('dialog', { name: `Factory reset ${phone.name}` });
    await drawer.getByText(/^Ended \d{4}-/).waitFor();
    const { id } = (await platform.call(listTasks, { query: { search: phone.name, action: ['factoryReset'] } }))
      .records[0]!;
    expect((await platform.call(getTask, { params: { id } })).counts).toMatchObject({ total: 1, success: 1 });
    // It is back with factory settings.
    await eventually(async () => {
      const now = await platform.call(getDevice, { params: { id: phone.id } });
      expect([now.state, now.lines.map((l) => l.status)]).toEqual([
        'notConfigured',
        phone.lines.map(() => 'unassigned'),
      ]);
    });
    expect((await platform.devices()).find((d) => d.mac === phone.mac)!.online).toBe(true);
    const alarms = await platform.call(listAlarms, { query: { search: phone.name } });
    expect(alarms.records.filter((a) => a.type === 3 || a.type === 4)).toEqual([]);
  },
);

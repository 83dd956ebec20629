import mqtt from 'mqtt';
import { expect, it } from 'vitest';
import { addDevice, deleteDevices, listOperationLog, listTasks } from '@carillon/contracts';
import { devicePlace, eventually } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();
const words = {
  open: 'Open',
  closed: 'Closed',
  notClosed: 'Not closed',
  unknown: 'Unknown',
  abnormal: 'Abnormal',
  normal: 'Normal',
} as const;

it('the state of a door is live, and a double press sends one order [TASK-02] [EGS-06/doors]', async () => {
  const { platform } = product;
  const mac = '0c383ea40d01';
  const { device, secret } = await platform.call(addDevice, {
    body: { ...(await devicePlace(platform.call)), mac, name: 'Zz gate', model: 'i23S', sn: 'ZD-0D01' },
  });
  const heard: { id: string; action: string; args: { door: number; command: string }; expiresAt: number }[] = [];
  const connect = async () => {
    const client = await eventually(() =>
      mqtt.connectAsync(platform.ready.mqtt, { clientId: mac, username: mac, password: secret, reconnectPeriod: 0 }),
    );
    client.on('message', (_, payload) => {
      const command = JSON.parse(payload.toString()) as (typeof heard)[number];
      if (command.action !== 'welcome') heard.push(command);
    });
    await client.subscribeAsync(`d/${mac}/command`, { qos: 1 });
    return client;
  };
  let client: mqtt.MqttClient | undefined;
  try {
    client = await connect();
    const say = (what: 'hello' | 'state' | 'result', payload: object) =>
      client!.publishAsync(`d/${mac}/${what}`, JSON.stringify({ at: Date.now(), ...payload }), { qos: 1 });
    const hello = {
      model: 'i23S',
      sn: 'ZD-0D01',
      firmware: '1.0.0',
      ip: '10.98.0.5',
      uptime: 1,
      boot: 'power',
      capabilities: ['doorControl'],
      configVersion: '1',
    };
    await say('hello', hello);
    const stand = (...statuses: (keyof typeof words)[]) =>
      say('state', { doors: statuses.map((status, n) => ({ door: n + 1, status })) });
    await stand('closed', 'normal');

    const { page } = await product.administrator(`/device/list?search=${mac}&id=${device.id}`);
    const drawer = page.getByRole('dialog', { name: 'Zz gate' });
    const row = (door: number) => drawer.getByRole('row', { name: `Door ${door} ` });
    const stands = (door: number, status: keyof typeof words) =>
      // Not the button with the same text.
      row(door).locator('[data-tone]').getByText(words[status], { exact: true }).waitFor();
    for (const status of Object.keys(words) as (keyof typeof words)[]) {
      await stand(status);
      await stands(1, status);
      await stands(2, 'normal');
    }
    await stand('closed');
    await stands(1, 'closed');

    // By keyboard only, with the last key pressed twice.
    await row(1).getByRole('button', { name: 'Open door 1' }).focus();
    await page.keyboard.press('Enter');
    const ask = (title: string) => page.getByRole('dialog', { name: title });
    await ask('Open door 1 of Zz gate?').getByText('It opens at once, for anyone in front of it.').waitFor();
    const clicked = Date.now();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await eventually(() => expect(heard).toHaveLength(1));
    expect(heard[0]).toMatchObject({ action: 'doorControl', args: { door: 1, command: 'open' } });
    expect(heard[0]!.expiresAt - clicked).toBeLessThanOrEqual(11_000);
    await drawer.getByRole('status').getByText('Opening door 1…').waitFor();
    // The order is under way: a press that comes late does not ask again.
    await ask('Open door 1 of Zz gate?').waitFor({ state: 'detached' });
    await row(1).getByRole('button', { name: 'Open door 1' }).focus();
    await page.keyboard.press('Enter');
    expect(await ask('Open door 1 of Zz gate?').count()).toBe(0);
    await say('result', { id: heard[0]!.id, status: 'success' });
    await stand('open');
    await drawer.getByRole('status').getByText('Door 1 opened', { exact: true }).waitFor();
    await stands(1, 'open');

    // By mouse, with two clicks as fast as the browser can.
    await row(2).getByRole('button', { name: 'Close door 2' }).click();
    await ask('Close door 2 of Zz gate?').getByRole('button', { name: 'Close door 2' }).dblclick();
    await eventually(() => expect(heard).toHaveLength(2));
    expect(heard[1]!.args).toEqual({ door: 2, command: 'close' });
    await say('result', { id: heard[1]!.id, status: 'fail', code: 'clock' });
    await drawer
      .getByRole('status')
      .getByText('Door 2 wasn’t closed: The device’s clock is not set')
      .or(drawer.getByRole('status').getByText("Door 2 wasn’t closed: The device's clock is not set"))
      .waitFor();

    // Opened and cancelled: nothing moves.
    await row(1).getByRole('button', { name: 'Open door 1' }).click();
    await page.keyboard.press('Escape');
    await ask('Open door 1 of Zz gate?').waitFor({ state: 'detached' });

    const { records } = await eventually(async () => {
      const found = await platform.call(listOperationLog, { query: { action: ['task.add'], search: 'Zz gate' } });
      expect(found.total).toBe(2);
      return found;
    });
    expect(records.map((r) => [r.username, r.detail['device'], r.detail['params']])).toEqual([
      ['admin', `Zz gate (${mac})`, { command: 'close', door: 2 }],
      ['admin', `Zz gate (${mac})`, { command: 'open', door: 1 }],
    ]);
    expect((await platform.call(listTasks, { query: { search: 'Zz gate' } })).total).toBe(2);

    // It goes offline: its doors are unknown and cannot be moved.
    await client.endAsync();
    await stands(1, 'unknown');
    await stands(2, 'unknown');
    for (const name of ['Open door 1', 'Close door 1', 'Open door 2', 'Close door 2'])
      expect(await drawer.getByRole('button', { name }).isDisabled()).toBe(true);
    await drawer.getByText('The device is offline', { exact: true }).waitFor();
    client = await connect();
    await say('hello', { ...hello, boot: 'reconnect' });
    await stands(1, 'open');
    expect(heard).toHaveLength(2);

    await page.goto(`/system/operationLog?id=${records[1]!.id}`);
    await page.getByText('Door number: 1; Open or close: Open').first().waitFor();
    await page.getByText(`Zz gate (${mac})`).first().waitFor();
  } finally {
    await client?.endAsync().catch(() => {});
    await platform.call(deleteDevices, { query: { ids: [device.id] } });
  }
}, 900_000);

it(
  "a door is moved from its row's menu and by a new task; a phone’s row has no such entry",
  { tags: 'slow' },
  async () => {
    const { platform } = product;
    const simulated = await platform.devices();
    const gate = simulated.find((d) => d.online && d.doors)!;
    const phone = simulated.find((d) => d.online && !d.doors)!;
    const { page } = await product.administrator(`/device/list?search=${phone.mac}`);
    const menu = () =>
      page
        .locator('[data-id]')
        .getByRole('button', { name: /^Actions for / })
        .click();
    await menu();
    await page.getByRole('menuitem', { name: 'Locate', exact: true }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Open or close a door' }).count()).toBe(0);
    await page.goto(`/device/list?search=${gate.mac}`);
    await menu();
    await page.getByRole('menuitem', { name: 'Open or close a door' }).click();
    const dialog = page.getByRole('dialog', { name: /^Open or close a door/ });
    await dialog.getByText('The door moves within 10 seconds or not at all.').waitFor();
    expect(await dialog.getByLabel('Open or close').first().inputValue()).toBe('Open');
    await dialog.getByLabel('Door number').fill('1');
    await dialog.getByRole('button', { name: 'Open or close a door', exact: true }).click();
    await page.getByText(/^Ended \d{4}-/).waitFor();
    const opened = async () => (await platform.devices()).find((d) => d.mac === gate.mac)!.doors![0]!.opened;
    expect(await opened()).toBeGreaterThan(0);

    await page.goto('/task/addTask?action=doorControl');
    await page.getByLabel('Open or close').first().click();
    await page.getByRole('option', { name: 'Close', exact: true }).click();
    await page.getByText('Offline devices are skipped and won’t act later.').waitFor();
  },
);

import mqtt from 'mqtt';
import { expect, it } from 'vitest';
import { addDevice, addTask, deleteDevices } from '@carillon/contracts';
import { eventually, devicePlace } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';

const product = useProduct();
const time = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

it('the page of a device shows its state, lines, facts, tasks and log, and updates live [DEV-07]', async () => {
  const { platform } = product;
  const mac = '0c383ea40001';
  const { device, secret } = await platform.call(addDevice, {
    body: { ...(await devicePlace(platform.call)), mac, name: 'Zz detail 1', model: 'X7A', sn: 'ZD-0001' },
  });
  const connect = () =>
    eventually(() =>
      mqtt.connectAsync(platform.ready.mqtt, {
        clientId: mac,
        username: mac,
        password: secret,
        clean: true,
        reconnectPeriod: 0,
      }),
    );
  let client: mqtt.MqttClient | undefined;
  try {
    const { page } = await product.administrator(`/device/deviceDetail?id=${device.id}`);
    const facts = page.getByRole('complementary', { name: 'Details' });
    const fact = async (title: string, expected: string | RegExp) =>
      eventually(async () => {
        const shown = await facts
          .locator('dt', { hasText: title })
          .locator('xpath=following-sibling::dd[1]')
          .innerText();
        if (expected instanceof RegExp) expect([title, shown.trim()]).toEqual([title, expect.stringMatching(expected)]);
        else expect([title, shown.trim()]).toEqual([title, expected]);
      });
    const state = (word: string) => page.locator('header').getByText(word, { exact: true }).first().waitFor();
    await state('Not configured');
    // A device that never connected has told neither.
    await fact('LTE module', '–');
    await fact('Active calls', '–');
    await fact('Last configured', '–');

    client = await connect();
    const say = (what: 'hello' | 'state', payload: object) =>
      client!.publishAsync(`d/${mac}/${what}`, JSON.stringify(payload), { qos: 1 });
    const fitted = { lte: 'EC200A-1' };
    const hello = {
      model: 'X7A',
      sn: 'ZD-0001',
      firmware: '1.0.0',
      ip: '10.98.0.4',
      uptime: 1,
      boot: 'power',
      capabilities: ['reboot'],
      configVersion: '3',
    };
    await say('hello', hello);
    await state('Online');
    await fact('LTE module', 'Not fitted');
    await fact('Active calls', '0');
    await say('hello', { ...hello, ...fitted });
    await fact('Online since', time);
    await fact('Last configured', time);
    await fact('LTE module', 'EC200A-1');
    await fact('IP address', '10.98.0.4');
    await fact('Public IP', '127.0.0.1');
    await fact('Firmware', '1.0.0');

    const words = {
      registered: 'Registered',
      unregistered: 'Not registered',
      failed: 'Registration failed',
      unassigned: 'Not assigned',
      calling: 'In a call',
      abnormal: 'Abnormal',
    };
    const lines = (shift: number) =>
      Object.keys(words).map((_, at, all) => {
        const status = all[(at + shift) % all.length]!;
        return { line: at + 1, account: `80${at}-zz`, server: 'pbx.demo.example', status };
      });
    const table = page.getByRole('group', { name: 'Lines' }).getByRole('row');
    for (const [shift, dnd, certificate] of [
      [0, 'on', true],
      [1, 'off', false],
      [2, 'unsupported', true],
    ] as const) {
      await say('state', { at: Date.now(), lines: lines(shift), dnd, certificate });
      await fact('Do not disturb', { on: 'On', off: 'Off', unsupported: 'Not supported' }[dnd]);
      await fact('Certificate', certificate ? 'Downloaded' : 'Not downloaded');
      await state('Abnormal');
      for (const { account, status } of lines(shift)) {
        const row = table.filter({ hasText: account });
        await row.getByText(words[status as keyof typeof words], { exact: true }).waitFor();
      }
    }

    // It goes offline and shows when it was last seen; the rest keeps its last values.
    await client.endAsync();
    await state('Offline');
    await fact('Last online', time);
    await fact('Public IP', '127.0.0.1');
    client = await connect();
    await say('hello', { ...hello, firmware: '1.1.0', boot: 'reboot', configVersion: '4' });
    await fact('Firmware', '1.1.0');

    // The device's tasks and their results.
    const reboot = new Promise<string>((resolve) => {
      client!.on('message', (_, bytes) => {
        const { id, action } = JSON.parse(bytes.toString()) as { id: string; action: string };
        if (action === 'reboot') resolve(id);
      });
    });
    await client.subscribeAsync(`d/${mac}/command`, { qos: 1 });
    await eventually(() =>
      platform.call(addTask, {
        body: { name: 'Zz told', action: 'reboot', params: {}, target: { ids: [device.id] } },
      }),
    );
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Tasks' }).click();
    const ordered = page.getByRole('row', { name: /Zz told.*Reboot/ });
    await ordered.getByText('Running', { exact: true }).waitFor();
    const result = { id: await reboot, status: 'fail', code: 'failed', at: Date.now() };
    await client.publishAsync(`d/${mac}/result`, JSON.stringify(result), { qos: 1 });
    await ordered.getByText('Failed', { exact: true }).waitFor();

    // The device's events, newest first, on its page and in the device log.
    const published = [
      /Came online.*127\.0\.0\.1/,
      /Went offline/,
      /Firmware.*1\.0\.0 → 1\.1\.0/,
      /Configuration.*3 → 4/,
      /Line 1, 800-zz: Registered → Not registered/,
    ];
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'History' }).click();
    for (const what of published) await page.getByRole('row', { name: what }).first().waitFor();
    await page.goto(`${platform.ready.url}/device/deviceLog?deviceId=${device.id}&limit=50`);
    await page.locator('main [data-id]').first().waitFor();
    for (const what of published) await page.getByRole('row', { name: what }).first().waitFor();
  } finally {
    await client?.endAsync().catch(() => {});
    await platform.call(deleteDevices, { query: { ids: [device.id] } });
  }
}, 900_000);

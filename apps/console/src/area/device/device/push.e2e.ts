import mqtt from 'mqtt';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Locator, Page } from 'playwright-core';
import { actions } from '@carillon/actions';
import {
  addDevice,
  addFirmware,
  addResourceFile,
  addTask,
  deleteDevices,
  deleteFirmware,
  deleteResourceFile,
  getTask,
  languages,
  listTaskDevices,
  listTasks,
  nouns,
  previewTask,
  restoreDevices,
  stopTask,
  type DeviceRecord,
  type Language,
} from '@carillon/contracts';
import { devicePlace, eventually } from '@carillon/testing';
import { useProduct } from '../../../../test/browser.ts';
import { uploadOf } from '../../../../test/example.ts';

const product = useProduct();
const stamp = Date.now().toString(36);
const mac = '0c383ea4d006';
const unknownMac = '0c383ea4dfff';
const places = ['list', 'detail'] as const;
type Place = (typeof places)[number];
const keys = ['reboot', 'factoryReset', 'firmwareUpgrade', 'resourceUpgrade'] as const;

interface Command {
  id: string;
  action: string;
  args: Record<string, unknown>;
}
/** The device on its own connection; it does only what a test tells it. */
let device: DeviceRecord;
let secret: string;
let client: mqtt.MqttClient | undefined;
let commands: Command[] = [];
let runs = '1.0.0';
let made = 0;
const say = (kind: 'hello' | 'result', payload: object) =>
  client!.publishAsync(`d/${mac}/${kind}`, JSON.stringify(payload), { qos: 1 });
async function connect(boot = 'power'): Promise<void> {
  client = await eventually(() =>
    mqtt.connectAsync(product.platform.ready.mqtt, {
      clientId: mac,
      username: mac,
      password: secret,
      clean: true,
      reconnectPeriod: 0,
    }),
  );
  client.on('message', (_, bytes) => {
    const command = JSON.parse(bytes.toString()) as Command;
    if (command.action !== 'welcome' && !commands.some(({ id }) => id === command.id)) commands.push(command);
  });
  await client.subscribeAsync(`d/${mac}/command`, { qos: 1 });
  const facts = { model: 'X7A', sn: 'ZP-0001', ip: '10.98.0.6', uptime: 0, configVersion: '1' };
  await say('hello', { ...facts, firmware: runs, boot, capabilities: keys });
}
async function disconnect(): Promise<void> {
  await client?.endAsync().catch(() => {});
  client = undefined;
}
const command = (nth: number) =>
  eventually(() => {
    expect(commands.length).toBeGreaterThan(nth);
    return commands[nth]!;
  });
const answer = (id: string, status: string, more: object = {}) =>
  say('result', { id, status, at: Date.now(), ...more });

/** Waits until a push would get this error. */
const becomes = (error: string) =>
  eventually(async () => {
    const body = { action: 'reboot', params: {}, target: { ids: [device.id] } };
    const known = await product.platform.call(previewTask, { body, query: {} }).then(
      ({ devices }) => (devices.records[0]!.online ? 'online' : 'offline'),
      (e: { error: string }) => e.error,
    );
    expect(known).toBe(error);
  }, 20_000);

beforeEach(async () => {
  const { platform } = product;
  commands = [];
  runs = '1.0.0';
  const name = `Zz push ${stamp} ${++made}`;
  const body = { ...(await devicePlace(platform.call)), mac, name, model: 'X7A', sn: 'ZP-0001' };
  ({ device, secret } = (await platform.call(addDevice, { body })) as { device: DeviceRecord; secret: string });
  await connect();
  await becomes('online');
});
afterEach(async () => {
  const { platform } = product;
  await disconnect();
  const { records } = await platform.call(listTasks, { query: { search: device.name, limit: 200 } });
  for (const { id, endedAt } of records)
    if (endedAt === null) await platform.call(stopTask, { params: { id } }).catch(() => undefined);
  await platform.call(deleteDevices, { query: { ids: [device.id] } });
});

async function open(page: Page, place: Place): Promise<void> {
  await page.goto(place === 'list' ? `/device/list?search=${mac}` : `/device/deviceDetail?id=${device.id}`);
  if (place === 'list') await page.locator('[data-id]').first().waitFor();
}
/** Starts an action at a place in any language, and returns its dialog. */
async function ask(page: Page, place: Place, key: (typeof keys)[number], language: Language = 'en_US') {
  const name = actions[key]!.texts.name[language];
  if (place === 'list') {
    await page.locator('[data-id] button[aria-haspopup=menu]').first().click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  } else await page.locator('header').getByRole('button', { name, exact: true }).click();
  const dialog = page.getByRole('dialog').filter({ has: page.locator('button[type=submit]') });
  await dialog.waitFor();
  return dialog;
}
const go = (dialog: Locator) => dialog.locator('button[type=submit]').click();
async function speak(page: Page, language: Language): Promise<void> {
  await page.evaluate(
    (value) => localStorage.setItem('carillon-language', JSON.stringify({ type: 'string', value, time: 0 })),
    language,
  );
}

it('reboot, reset, firmware and files are pushed from row and page [DEV-06] [TASK-02]', async () => {
  const { platform } = product;
  const upload = (noun: string, name: string) =>
    uploadOf(
      nouns.find((n) => n.name === noun)!,
      { name, text: noun === 'firmware' ? '\0\x01\x02' : 'words' },
      platform,
    );
  const firmwares = await Promise.all(
    ['9.0.1', '9.0.2'].map(async (version) => {
      const notice = { whom: 'nobody', at: null } as const;
      const name = `Zz push ${stamp}`;
      const body = {
        name,
        version,
        models: ['X7A'],
        description: '',
        notice,
        upload: await upload('firmware', 'f.bin'),
      };
      return platform.call(addFirmware, { body });
    }),
  );
  const resource = await platform.call(addResourceFile, {
    body: {
      name: `Zz push ${stamp}`,
      type: 'languagePack',
      description: '',
      uploads: [await upload('resourceFile', 'one.txt'), await upload('resourceFile', 'two.txt')],
    },
  });
  try {
    const { page } = await product.administrator();
    for (const [at, place] of places.entries())
      for (const [nth, key] of keys.entries()) {
        await open(page, place);
        const dialog = await ask(page, place, key);
        const version = `9.0.${at + 1}`;
        if (key === 'factoryReset') await dialog.getByLabel(`Type ${device.name} to confirm`).fill(device.name);
        if (key === 'firmwareUpgrade') {
          await dialog.getByRole('combobox', { name: 'Firmware', exact: true }).fill(`Zz push ${stamp}`);
          await page.getByRole('option', { name: `Zz push ${stamp} ${version}` }).click();
        }
        if (key === 'resourceUpgrade') {
          await dialog.getByRole('combobox', { name: 'Resource file', exact: true }).fill(`Zz push ${stamp}`);
          await page.getByRole('option', { name: `Zz push ${stamp}` }).click();
        }
        await go(dialog);
        const order = await command(at * keys.length + nth);
        expect(order.action).toBe(key);
        if (key === 'firmwareUpgrade') expect(order.args).toMatchObject({ version });
        if (key === 'resourceUpgrade')
          expect(order.args).toMatchObject({
            kind: 'languagePack',
            name: `Zz push ${stamp}`,
            files: [{ name: 'one.txt' }, { name: 'two.txt' }],
          });
        await answer(order.id, 'accepted');
        if (key !== 'resourceUpgrade') {
          await disconnect();
          const boot = { reboot: 'reboot', factoryReset: 'reset', firmwareUpgrade: 'upgrade' }[key];
          if (key === 'firmwareUpgrade') runs = version;
          await connect(boot);
        }
        await answer(order.id, 'success');
        await page
          .getByRole('dialog')
          .getByText(/^Ended \d{4}-/)
          .waitFor();
        if (key === 'resourceUpgrade')
          await page
            .getByRole('dialog')
            .locator('dl div')
            .filter({ hasText: 'Resource file' })
            .getByText(`Zz push ${stamp}`, { exact: true })
            .waitFor();
        const { records } = await platform.call(listTasks, { query: { search: device.name, action: [key] } });
        expect(records[0]!.counts).toMatchObject({ total: 1, success: 1 });
        await becomes('online');
      }
  } finally {
    for (const { id } of firmwares) await platform.call(deleteFirmware, { query: { id } }).catch(() => undefined);
    await eventually(() => platform.call(deleteResourceFile, { query: { id: resource.id } }));
  }
}, 900_000);

it('a push to an offline device is refused in the user’s language, or left to a waiting task [DEV-06]', async () => {
  const { platform } = product;
  await disconnect();
  await becomes('offline');
  const texts: Record<Language, [message: string, queue: string]> = {
    en_US: ['The device is offline.', 'Add to queue'],
    zh_CN: ['设备离线。', '加入队列'],
    ko: ['장치가 오프라인입니다.', '대기열에 추가'],
    pt_BR: ['O dispositivo está offline.', 'Colocar na fila'],
  };
  const { page } = await product.administrator();
  for (const language of languages) {
    await speak(page, language);
    for (const place of places) {
      await open(page, place);
      const dialog = await ask(page, place, 'reboot', language);
      await go(dialog);
      await dialog.getByRole('alert').getByText(texts[language][0]).waitFor();
    }
  }
  expect((await platform.call(listTasks, { query: { search: device.name } })).total).toBe(0);
  await speak(page, 'en_US');
  await open(page, 'detail');
  const dialog = await ask(page, 'detail', 'reboot');
  await go(dialog);
  await dialog.getByRole('button', { name: 'Add to queue' }).click();
  await page
    .getByRole('dialog', { name: `Reboot ${device.name}` })
    .getByText('0 of 1 device finished')
    .waitFor();
  await connect();
  expect((await command(0)).action).toBe('reboot');
}, 900_000);

it(
  'a push during a running task is refused, and queued ones go out after it in order [DEV-06]',
  { tags: 'slow', timeout: 900_000 },
  async () => {
    const { platform } = product;
    const texts: Record<Language, string> = {
      en_US: 'The device has a running task.',
      zh_CN: '设备有正在执行的任务。',
      ko: '장치에 실행 중인 작업이 있습니다.',
      pt_BR: 'O dispositivo tem uma tarefa em execução.',
    };
    const { page } = await product.administrator();
    await open(page, 'list');
    await go(await ask(page, 'list', 'reboot'));
    const first = await command(0);
    for (const language of languages) {
      await speak(page, language);
      for (const place of places) {
        await open(page, place);
        const dialog = await ask(page, place, 'reboot', language);
        await go(dialog);
        await dialog.getByRole('alert').getByText(texts[language]).waitFor();
      }
    }
    expect((await platform.call(listTasks, { query: { search: device.name } })).total).toBe(1);
    await speak(page, 'en_US');
    const queued: string[] = [];
    for (const place of places) {
      await open(page, place);
      const dialog = await ask(page, place, 'reboot');
      await go(dialog);
      await dialog.getByRole('button', { name: 'Add to queue' }).click();
      await page.waitForURL(/task=/);
      queued.push(new URL(page.url()).searchParams.get('task')!);
    }
    expect(commands).toHaveLength(1);
    await answer(first.id, 'fail', { code: 'failed' });
    for (const [nth, id] of queued.entries()) {
      const order = await command(nth + 1);
      const waiting = queued[nth + 1];
      if (waiting !== undefined)
        expect((await platform.call(getTask, { params: { id: waiting } })).counts).toMatchObject({ wait: 1 });
      await answer(order.id, 'fail', { code: 'failed' });
      await eventually(async () => {
        const { records } = await platform.call(listTaskDevices, { params: { id }, query: {} });
        expect(records[0]).toMatchObject({ status: 'fail' });
      });
    }
  },
);

it('a push to a deleted device or an unknown MAC is refused in the user’s language [DEV-06]', async () => {
  const { platform } = product;
  const texts: Record<Language, [missing: string, mac: string]> = {
    en_US: ['The device to push to does not exist.', 'MAC not found.'],
    zh_CN: ['要推送的设备不存在。', '未找到该 MAC。'],
    ko: ['푸시할 장치가 없습니다.', 'MAC을 찾을 수 없습니다.'],
    pt_BR: ['O dispositivo de destino não existe.', 'MAC não encontrado.'],
  };
  const { page } = await product.administrator();
  for (const language of languages) {
    await speak(page, language);
    const [missing, unknown] = texts[language];
    for (const place of places) {
      await open(page, place);
      const dialog = await ask(page, place, 'reboot', language);
      await platform.call(deleteDevices, { query: { ids: [device.id] } });
      await becomes('device.pushTargetMissing');
      await go(dialog);
      await dialog.getByRole('alert').getByText(missing).waitFor();
      await platform.call(restoreDevices, { body: { ids: [device.id] } });
      await eventually(() => becomes('offline'));

      const named = place === 'list' ? '/device/list' : '/device/deviceDetail';
      await page.goto(`${named}?id=${unknownMac}`);
      await page.getByText(unknown).first().waitFor();
    }
  }
  const body = { name: 'By MAC', action: 'reboot', params: {}, target: { macs: [mac, unknownMac] }, push: true };
  await expect(platform.call(addTask, { body })).rejects.toMatchObject({ error: 'device.macNotFound' });
  expect((await platform.call(listTasks, { query: { search: device.name } })).total).toBe(0);
}, 900_000);

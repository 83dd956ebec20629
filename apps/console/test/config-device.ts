import mqtt from 'mqtt';
import { addDevice, addTask, previewTask, type DeviceRecord } from '@carillon/contracts';
import { devicePlace, eventually } from '@carillon/testing';
import type { Platform } from '@carillon/testing/platform';

interface Command {
  id: string;
  action: string;
  args: { url: string; version: string; mode: string };
}

/** A device on its own connection: it handles configurations and has no other action. */
export interface ConfigDevice {
  device: DeviceRecord;
  client: mqtt.MqttClient;
  commands: Command[];
  /** The configurations that it loaded, with their versions. */
  held: [version: string, text: string][];
  /** Reports another version, like a device that someone configures by hand. */
  report(configVersion: string): Promise<unknown>;
  /** Sends it the configuration of its templates by a task, once that is made, and waits until it has loaded it. */
  send(task: string): Promise<void>;
}

/** Adds such a device and connects it. It reports that it does not accept `rejected`. */
export async function configDevice(
  platform: Platform,
  { rejected, ...given }: { mac: string; name: string; model: string; rejected: { key: string; code: string }[] },
): Promise<ConfigDevice> {
  const { mac, model } = given;
  const sn = 'ZC-0001';
  const body = { ...(await devicePlace(platform.call)), ...given, sn };
  const { device, secret } = (await platform.call(addDevice, { body })) as { device: DeviceRecord; secret: string };
  const client = await eventually(() =>
    mqtt.connectAsync(platform.ready.mqtt, { clientId: mac, username: mac, password: secret, reconnectPeriod: 0 }),
  );
  const commands: Command[] = [];
  const held: ConfigDevice['held'] = [];
  const say = (kind: string, payload: object) =>
    client.publishAsync(`d/${mac}/${kind}`, JSON.stringify(payload), { qos: 1 });
  client.on('message', (_, bytes) => {
    const command = JSON.parse(bytes.toString()) as Command;
    if (command.action !== 'configUpdate' || commands.some(({ id }) => id === command.id)) return;
    commands.push(command);
    void (async () => {
      const { id, args } = command;
      await say('result', { id, status: 'accepted', at: Date.now() });
      held.push([args.version, await (await fetch(args.url)).text()]);
      await say('result', { id, status: 'success', data: { rejected }, at: Date.now() });
      await say('state', { at: Date.now(), configVersion: args.version });
    })();
  });
  await client.subscribeAsync(`d/${mac}/command`, { qos: 1 });
  const facts = { model, sn, ip: '10.98.0.7', uptime: 0, firmware: '1.0', boot: 'power' };
  await say('hello', { ...facts, capabilities: ['configUpdate'] });
  await eventually(async () => {
    const order = { action: 'reboot', params: {}, target: { ids: [device.id] } };
    const { devices } = await platform.call(previewTask, { body: order, query: {} });
    if (devices.records[0]?.online !== true) throw new Error(`${given.name} is not online`);
  }, 20_000);
  const report = (configVersion: string) => say('state', { at: Date.now(), configVersion });
  const send = async (task: string) => {
    const order = { action: 'configUpdate', params: { by: 'template' }, target: { ids: [device.id] } };
    await eventually(async () => {
      const { devices } = await platform.call(previewTask, { body: order, query: { only: 'skipped' } });
      if (devices.total > 0) throw new Error(`${given.name} has no configuration yet`);
    });
    const before = held.length;
    await platform.call(addTask, { body: { name: task, ...order } });
    await eventually(() => {
      if (held.length === before) throw new Error(`${given.name} has not loaded its configuration`);
    });
  };
  return { device, client, commands, held, report, send };
}

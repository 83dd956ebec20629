import { devicePlace } from '@carillon/testing/device-place';
import { parseArgs } from 'node:util';
import { connect, type MqttClient } from 'mqtt';
import { addDevice, linkTopic } from '@carillon/contracts';
import { bench, report, runs, spread } from '@carillon/devtools/bench';
import { makeInventory } from '@carillon/simulator/inventory';
import pg from 'pg';
import { machineCpu, up, withoutDeviceLimits } from './lib/instance.ts';

const devices = 200;
const inFlight = 4;
const each = 100;

/** Connects as the device; retries, because the gateway learns of a new device a moment later. */
async function enter(port: number, mac: string, secret: string): Promise<MqttClient> {
  for (let tried = 1; ; tried++) {
    const client = connect(`mqtt://127.0.0.1:${port}`, {
      clientId: mac,
      username: mac,
      password: secret,
      clean: true,
      protocolVersion: 4,
      reconnectPeriod: 0,
    });
    const refused = await new Promise<Error | undefined>((r) => {
      client.once('connect', () => r(undefined)).once('error', r);
    });
    if (!refused) return client;
    client.end(true);
    if (tried === 30) throw refused;
    await new Promise((r) => {
      setTimeout(r, 100);
    });
  }
}

/**
 * Measures how many messages per second the product takes in, standalone or with `--cluster` over Kafka with two
 * processes of every service, from the MQTT packet to the device's row. Each device sends its state, four at a time,
 * with a new number of calls in each; the clock stops when the last one of every device is in its row. Limits of
 * connections are off. Reports the rate and the machine's CPU time per message, including the clients.
 */
await bench('intake', async () => {
  const { cluster } = parseArgs({ strict: false, options: { cluster: { type: 'boolean', default: false } } }).values;
  const over = cluster ? ', over Kafka' : '';
  const instance = await up({ devices: 0, more: cluster ? ['--cluster'] : [], env: withoutDeviceLimits });
  const sql = new pg.Client({ ...instance.postgres(), database: 'carillon_device' });
  await sql.connect();
  const clients: { mac: string; client: MqttClient }[] = [];
  try {
    for (const item of makeInventory(devices, 5)) {
      const { device, secret } = await instance.call(addDevice, {
        body: { ...(await devicePlace(instance.call)), ...item },
      });
      const client = await enter(instance.mqttPort, device.mac, secret);
      await client.publishAsync(
        linkTopic.up(device.mac, 'hello'),
        JSON.stringify({
          model: item.model,
          sn: item.sn,
          firmware: '1',
          ip: '10.0.0.1',
          uptime: 1,
          boot: 'power',
          capabilities: ['reboot'],
          configVersion: '1',
        }),
        { qos: 1 },
      );
      clients.push({ mac: device.mac, client });
    }
    const perSecond: number[] = [];
    const acknowledged: number[] = [];
    const cpu: number[] = [];
    for (let run = 0; run <= runs(); run++) {
      const [began, worked] = [performance.now(), machineCpu()];
      await Promise.all(
        clients.flatMap(({ mac, client }) =>
          Array.from({ length: inFlight }, async (_, lane) => {
            for (let n = lane + 1; n <= each; n += inFlight)
              await client.publishAsync(
                linkTopic.up(mac, 'state'),
                JSON.stringify({ at: Date.now(), calls: run * each + n }),
                { qos: 1 },
              );
          }),
        ),
      );
      const stored = performance.now() - began;
      // Parallel lanes of one device overtake each other, so one more message ends the run.
      await Promise.all(
        clients.map(({ mac, client }) =>
          client.publishAsync(linkTopic.up(mac, 'state'), JSON.stringify({ at: Date.now(), calls: 60_000 + run }), {
            qos: 1,
          }),
        ),
      );
      while (
        (await sql.query<{ n: number }>('select count(*)::int as n from device where calls = $1', [60_000 + run]))
          .rows[0]!.n !== devices
      )
        await new Promise((r) => {
          setTimeout(r, 20);
        });
      if (run === 0) continue;
      const messages = devices * (each + 1);
      perSecond.push(messages / ((performance.now() - began) / 1000));
      acknowledged.push((devices * each) / (stored / 1000));
      cpu.push((machineCpu() - worked) / messages);
    }
    report(
      { name: `messages a second down to the device's row${over}`, unit: '/s', value: spread(perSecond).median },
      spread(perSecond),
    );
    report(
      {
        name: `messages a second acknowledged, stored on the bus${over}`,
        unit: '/s',
        value: spread(acknowledged).median,
      },
      spread(acknowledged),
    );
    report(
      {
        name: `processor time of the machine a message, its clients included${over}`,
        unit: 'ms',
        value: spread(cpu).median,
      },
      spread(cpu),
    );
  } finally {
    for (const { client } of clients) client.end(true);
    await sql.end();
    instance.down();
  }
});

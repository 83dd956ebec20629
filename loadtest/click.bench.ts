import { devicePlace } from '@carillon/testing/device-place';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { connect } from 'mqtt';
import { addDevice, addTask, getTask, linkTopic, type CommandPayload } from '@carillon/contracts';
import { bench, percentile, report, runs, spread } from '@carillon/devtools/bench';
import { startFleet } from '@carillon/simulator/fleet';
import { makeInventory } from '@carillon/simulator/inventory';
import { clickFloor } from './lib/floor.ts';
import { up } from './lib/instance.ts';

/**
 * Measures the time from the HTTP request of a click to the command at the device's client, for 200 separate clicks per
 * run; alternates with one committed row and one socket write. Then 200 reboots by one click, of devices that restart
 * at once. Runs in standalone, or with `--cluster` over Kafka with two processes of every service.
 */
await bench('click', async () => {
  const { cluster } = parseArgs({ strict: false, options: { cluster: { type: 'boolean', default: false } } }).values;
  const limit = cluster ? { p50: 60, p99: { atMost: 250 } } : { p50: 25, p99: {} };
  const over = cluster ? ', over Kafka' : '';
  const instance = await up({ devices: 0, more: cluster ? ['--cluster'] : [] });
  const floor = await clickFloor();
  const folder = mkdtempSync(join(tmpdir(), 'carillon-fleet-'));
  try {
    const [one, ...rest] = makeInventory(201, 5);
    const { device, secret } = await instance.call(addDevice, {
      body: { ...(await devicePlace(instance.call)), ...one! },
    });
    const client = connect(`mqtt://127.0.0.1:${instance.mqttPort}`, {
      clientId: device.mac,
      username: device.mac,
      password: secret,
      clean: true,
      protocolVersion: 4,
      reconnectPeriod: 0,
    });
    await new Promise((r) => {
      client.once('connect', r);
    });
    await client.subscribeAsync(linkTopic.command(device.mac), { qos: 1 });
    let heard: ((command: CommandPayload) => void) | undefined;
    client.on('message', (_topic, payload) => {
      const command = JSON.parse(payload.toString()) as CommandPayload;
      if (command.action !== 'welcome') heard?.(command);
    });
    await client.publishAsync(
      linkTopic.up(device.mac, 'hello'),
      JSON.stringify({
        model: one!.model,
        sn: one!.sn,
        firmware: '1',
        ip: '10.0.0.1',
        uptime: 1,
        boot: 'power',
        capabilities: ['locate'],
        configVersion: '1',
      }),
      { qos: 1 },
    );
    await new Promise((r) => {
      setTimeout(r, 1_000);
    });

    const click = async (): Promise<number> => {
      const read = new Promise<{ command: CommandPayload; at: number }>((r) => {
        heard = (command) => r({ command, at: performance.now() });
      });
      const began = performance.now();
      const task = await instance.call(addTask, {
        body: { name: 'Click', action: 'locate', params: { seconds: 5 }, target: { ids: [device.id] } },
      });
      const { command, at } = await read;
      await client.publishAsync(
        linkTopic.up(device.mac, 'result'),
        JSON.stringify({ id: command.id, status: 'success', at: Date.now() }),
        { qos: 1 },
      );
      // The next click is separate, so this task must end first.
      while ((await instance.call(getTask, { params: { id: task.id } })).endedAt === null)
        await new Promise((r) => {
          setTimeout(r, 5);
        });
      return at - began;
    };
    for (let i = 0; i < 20; i++) {
      await click();
      await floor.click();
    }
    const p50: number[] = [];
    const p99: number[] = [];
    const floors: number[] = [];
    for (let run = 0; run < runs(); run++) {
      const ours: number[] = [];
      const bare: number[] = [];
      for (let i = 0; i < 200; i++) {
        ours.push(await click());
        bare.push(await floor.click());
      }
      p50.push(percentile(ours, 0.5));
      p99.push(percentile(ours, 0.99));
      floors.push(percentile(bare, 0.5));
    }
    report(
      {
        name: `click to command read${over}, p50 of 200`,
        unit: 'ms',
        value: spread(p50).median,
        atMost: limit.p50,
        beside: { name: 'one committed row and one socket write', value: spread(floors).median },
      },
      spread(p50),
    );
    report(
      { name: `click to command read${over}, p99 of 200`, unit: 'ms', value: spread(p99).median, ...limit.p99 },
      spread(p99),
    );
    await client.endAsync();

    const credentials = [];
    const ids: string[] = [];
    for (const item of rest) {
      const added = await instance.call(addDevice, { body: { ...(await devicePlace(instance.call)), ...item } });
      credentials.push({ ...item, secret: added.secret });
      ids.push(added.device.id);
    }
    const fleet = await startFleet({
      url: `mqtt://127.0.0.1:${instance.mqttPort}`,
      devices: credentials,
      stateDir: folder,
      rebootMs: 0,
      connectPerSecond: 0,
    });
    await fleet.ready;
    await new Promise((r) => {
      setTimeout(r, 2_000);
    });
    const took: number[] = [];
    for (let run = 0; run < runs(); run++) {
      const began = performance.now();
      const task = await instance.call(addTask, {
        body: { name: 'All', action: 'reboot', params: {}, target: { ids } },
      });
      let done = task;
      while (done.endedAt === null) {
        await new Promise((r) => {
          setTimeout(r, 20);
        });
        done = await instance.call(getTask, { params: { id: task.id } });
      }
      took.push((performance.now() - began) / 1000);
      if (done.counts.success !== 200) throw new Error(`only ${done.counts.success} of 200 were rebooted`);
      await new Promise((r) => {
        setTimeout(r, 1_500);
      });
    }
    report(
      { name: `200 reboots done after the click${over}`, unit: 's', value: spread(took).median, atMost: 3 },
      spread(took),
    );
    await fleet.stop();
  } finally {
    await floor.close();
    instance.down();
    rmSync(folder, { recursive: true, force: true });
  }
});

import { mkdtempSync, rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addDevice, addTask, getTask, linkCommand } from '@carillon/contracts';
import { deviceService } from '@carillon/device/module';
import { taskService } from '@carillon/task/module';
import { MqttGateway, mqttGatewayConfig } from '@carillon/mqtt-gateway/module';
import type { Bus } from '@carillon/messaging';
import { createLogger } from '@carillon/observability';
import { Database } from '@carillon/persistence';
import { hostService, readConfig, type Hosted, type ServiceDefinition } from '@carillon/service';
import { startFleet, type Credential, type Fleet } from '@carillon/simulator/fleet';
import { makeInventory } from '@carillon/simulator/inventory';
import {
  devicesKnown,
  eventually,
  newActor,
  testBus,
  testService,
  type TestedService,
  devicePlaces,
} from '@carillon/testing';
import { freePort } from '@carillon/devtools/free-port';

const count = 200;
const actor = newActor();
let bus: Bus & { close(): Promise<void> };
let device: TestedService;
let task: TestedService;
let second: Hosted;
let gateway: MqttGateway;
let fleet: Fleet | undefined;
let url: string;
const credentials: Credential[] = [];
const stateDir = mkdtempSync(join(tmpdir(), 'carillon-scheduler-'));
/** Ids of the commands that left for each device, as a gateway reads them. */
const published = new Map<string, string[]>();

beforeAll(async () => {
  bus = await testBus();
  device = await testService(deviceService as unknown as ServiceDefinition, bus);
  // Ticks as often as possible, so that both schedulers meet at every step.
  task = await testService(taskService as unknown as ServiceDefinition, bus, {
    taskTickMs: 100,
    taskSendBatch: 7,
    taskChunk: 11,
  });
  const { orm } = task.database;
  const definition = taskService as unknown as ServiceDefinition;
  const connection = {
    host: orm.config.get('host')!,
    port: orm.config.get('port')!,
    database: orm.config.get('dbName')!,
    user: orm.config.get('user')!,
    password: orm.config.get('password') as string,
    poolMax: 3,
  };
  second = await hostService({
    definition,
    config: readConfig(definition.config, { taskTickMs: 100, taskSendBatch: 7, taskChunk: 11 } as never),
    bus,
    contextKey: randomBytes(32),
    database: await Database.open({ connection, ...definition.database! }),
    listen: null,
  });
  await (
    await bus.fanout({
      topics: [linkCommand.name],
      from: 'start',
      handle: ({ records }) => {
        for (const { headers, value } of records)
          if (headers['type'] === 'command') {
            const { deviceId, id } = JSON.parse(value!) as { deviceId: string; id: string };
            published.set(deviceId, [...(published.get(deviceId) ?? []), id]);
          }
      },
    })
  ).caughtUp;
  const mqttPort = await freePort();
  gateway = new MqttGateway({
    bus,
    config: mqttGatewayConfig.parse({ port: mqttPort }),
    log: createLogger('mqtt-gateway'),
  });
  await gateway.start();
  const place = await devicePlaces(bus, device)(actor);
  for (const one of makeInventory(count, 11))
    credentials.push({ ...one, secret: (await device.as(actor)(addDevice, { body: { ...place, ...one } })).secret });
  url = `mqtt://127.0.0.1:${mqttPort}`;
}, 180_000);

afterAll(async () => {
  await fleet?.stop();
  rmSync(stateDir, { recursive: true });
  await gateway?.stop();
  await second?.close();
  await task?.close();
  await device?.close();
  await bus?.close();
});

it('two schedulers on one database send each of 200 devices one command [GW-02/scheduler]', async () => {
  await eventually(async () => {
    const behind = (await bus.lag()).filter((l) => l.group === 'task' && l.lag > 0);
    if (behind.length > 0) throw new Error(`${behind[0]!.topic} is behind`);
  }, 60_000);
  // Each device says once what it can do; a device without a hello gets no task.
  const introduced = await startFleet({ url, devices: credentials, stateDir, connectPerSecond: 0 });
  await introduced.ready;
  await introduced.stop();
  await devicesKnown(task.database, count, 0);
  const call = task.as(actor);
  const { id } = await call(addTask, { body: { name: 'Both', action: 'reboot', params: {}, target: { filter: {} } } });
  // Both look every 100 ms for devices that have waited 2 s, so they meet at each of them.
  await eventually(async () => {
    const { expanded, createdAt } = await call(getTask, { params: { id } });
    if (!expanded || Date.now() - Date.parse(createdAt) < 3_000) throw new Error('the task is too young');
  });
  fleet = await startFleet({ url, devices: credentials, stateDir, rebootMs: 600_000, connectPerSecond: 0 });
  const done = () => Object.values(fleet!.effects()).map((effects) => Object.values(effects).map((e) => e.count));
  await eventually(() => expect(done()).toEqual(Array(count).fill([1])), 60_000);
  // The devices restart before they report that they are back.
  await eventually(async () =>
    expect((await call(getTask, { params: { id } })).counts).toMatchObject({ total: count, process: count, wait: 0 }),
  );
  // No device is back before the test ends, so nothing must be sent twice.
  expect([...published.values()].map((ids) => ids.length)).toEqual(Array(count).fill(1));
}, 120_000);

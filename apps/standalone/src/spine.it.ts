import { connect } from 'mqtt';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import {
  addDevice,
  addTask,
  disableDevices,
  enableDevices,
  endOldDeviceSecret,
  getDevice,
  renewDeviceSecret,
  getTask,
  listDevices,
  listTaskDevices,
  type Client,
} from '@carillon/contracts';
import { deviceService } from '@carillon/device/module';
import { taskService } from '@carillon/task/module';
import { MqttGateway, mqttGatewayConfig } from '@carillon/mqtt-gateway/module';
import type { Bus } from '@carillon/messaging';
import type { ServiceDefinition } from '@carillon/service';
import { makeInventory } from '@carillon/simulator/inventory';
import { startFleet, type Fleet } from '@carillon/simulator/fleet';
import { createLogger } from '@carillon/observability';
import {
  devicesKnown,
  eventually,
  newActor,
  testBus,
  testService,
  type TestedService,
  devicePlaces,
  type DevicePlace,
} from '@carillon/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let bus: Bus & { close(): Promise<void> };
let device: TestedService;
let task: TestedService;
let gateway: MqttGateway;
const actor = newActor();
const folders: string[] = [];
let fleet: Fleet | undefined;
let devices: Client;
let tasks: Client;

let place: DevicePlace;

beforeAll(async () => {
  bus = await testBus();
  device = await testService(deviceService as unknown as ServiceDefinition, bus);
  task = await testService(taskService as unknown as ServiceDefinition, bus, { taskTickMs: 200 });
  gateway = new MqttGateway({
    bus,
    config: mqttGatewayConfig.parse({ port: 26_001 }),
    log: createLogger('mqtt-gateway'),
  });
  await gateway.start();
  devices = device.as(actor);
  place = await devicePlaces(bus, device)(actor);
  tasks = task.as(actor);
});

afterAll(async () => {
  await gateway?.stop();
  await task?.close();
  await device?.close();
  await bus?.close();
  for (const folder of folders) rmSync(folder, { recursive: true });
});

afterEach(async () => {
  await fleet?.stop();
  fleet = undefined;
});

/** Starts connected devices that the services know as online. */
async function fleetOf(count: number, seed: number, already = 0) {
  const inventory = makeInventory(count, seed);
  const credentials = [];
  for (const one of inventory)
    credentials.push({ ...one, secret: (await devices(addDevice, { body: { ...place, ...one } })).secret });
  const stateDir = mkdtempSync(join(tmpdir(), 'carillon-spine-'));
  folders.push(stateDir);
  const url = 'mqtt://127.0.0.1:26001';
  fleet = await startFleet({ url, devices: credentials, stateDir, rebootMs: 0, slowMs: 100, connectPerSecond: 0 });
  await fleet.ready;
  await devicesKnown(task.database, already + count, count);
  return { inventory, fleet };
}

it('reboots each device of a task once, from the call and back [TASK-03/spine] [GW-02/spine]', async () => {
  const { inventory } = await fleetOf(20, 7);
  const list = await eventually(async () => {
    const found = await devices(listDevices, { query: { limit: 100 } });
    expect(found.records.filter((d) => d.state === 'online' || d.state === 'abnormal')).toHaveLength(20);
    return found;
  });
  expect(list.total).toBe(20);
  const made = await eventually(() =>
    tasks(addTask, { body: { name: 'Reboot all', action: 'reboot', params: {}, target: { filter: {} } } }),
  );
  const done = await eventually(async () => {
    const found = await tasks(getTask, { params: { id: made.id } });
    expect(found.status).toBe('success');
    return found;
  });
  expect(done.counts).toEqual({ total: 20, success: 20, fail: 0, timeout: 0, cancel: 0, process: 0, wait: 0 });
  const rows = await tasks(listTaskDevices, { params: { id: made.id }, query: { limit: 50 } });
  expect(rows.records.every((r) => r.status === 'success')).toBe(true);
  expect(
    (await devices(getDevice, { params: { id: inventory[0]!.mac.toUpperCase().replace(/(..)(?=.)/g, '$1:') } })).mac,
  ).toBe(inventory[0]!.mac);
});

it('a device is located while it reboots and shows it; a second reboot waits for the first', async () => {
  const { inventory, fleet } = await fleetOf(1, 8, 20);
  const { mac } = inventory[0]!;
  const [device] = (await devices(listDevices, { query: { search: mac } })).records;
  const order = async (action: string, params: Record<string, unknown>) =>
    (await tasks(addTask, { body: { name: action, action, params, target: { ids: [device!.id] } } })).id;
  const is = (id: string, status: 'wait' | 'process' | 'success') =>
    eventually(async () =>
      expect((await tasks(getTask, { params: { id } })).counts).toMatchObject({ total: 1, [status]: 1 }),
    );
  // A reboot takes as long as the call that it waits for.
  await fleet.change(mac, { calls: 1 });
  const first = await order('reboot', { whenIdle: true });
  await eventually(() => expect(fleet.stats().commands['reboot']).toBe(1));
  const second = await order('reboot', { whenIdle: true });
  await is(second, 'wait');

  const before = Date.now();
  await is(await order('locate', { seconds: 60 }), 'success');
  const { blinking } = fleet.devices()[0]!.shows!;
  const until = Date.parse(blinking!) - 60_000;
  expect([until >= before, until <= Date.now()]).toEqual([true, true]);
  await is(first, 'process');
  await is(second, 'wait');
  expect(fleet.stats().commands).toEqual({ reboot: 1, locate: 1 });

  await fleet.change(mac, { calls: 0 });
  for (const id of [first, second]) await is(id, 'success');
  await eventually(() => expect(fleet.stats()).toMatchObject({ connected: 1, effects: { reboot: 2, locate: 1 } }));
  expect(fleet.devices()[0]!.shows).toBeUndefined();
});

/** Logs in like a device. Returns whether it was accepted, and a promise of the connection's end. */
async function login(mac: string, secret: string) {
  const client = connect('mqtt://127.0.0.1:26001', {
    clientId: mac,
    username: mac,
    password: secret,
    protocolVersion: 4,
    reconnectPeriod: 0,
  });
  const closed = new Promise<number>((resolve) => {
    client.once('close', () => resolve(performance.now()));
  });
  const accepted = await new Promise<boolean>((resolve) => {
    client.once('connect', () => resolve(true));
    client.once('error', () => resolve(false));
  });
  return { accepted, closed, end: () => client.endAsync(true) };
}

it('a disabled device, or one with a revoked secret, is disconnected within a second and refused', async () => {
  const mac = '0c383e0000d1';
  const { device, secret } = await devices(addDevice, {
    body: { ...place, mac, name: 'Door', model: 'X7A', sn: 'D1' },
  });
  const letIn = (with_: string) =>
    eventually(async () => {
      const tried = await login(mac, with_);
      expect(tried.accepted).toBe(true);
      return tried;
    });
  const first = await letIn(secret);
  let asked = performance.now();
  await devices(disableDevices, { body: { ids: [device.id] } });
  expect((await first.closed) - asked).toBeLessThan(1_000);
  expect((await login(mac, secret)).accepted).toBe(false);
  await devices(enableDevices, { body: { ids: [device.id] } });
  const second = await letIn(secret);
  const renewed = await devices(renewDeviceSecret, { params: { id: device.id } });
  asked = performance.now();
  await devices(endOldDeviceSecret, { params: { id: device.id } });
  expect((await second.closed) - asked).toBeLessThan(1_000);
  expect((await login(mac, secret)).accepted).toBe(false);
  await (await letIn(renewed.secret)).end();
});

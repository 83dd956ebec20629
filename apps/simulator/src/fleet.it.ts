import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { actions } from '@carillon/actions';
import { TestPlatform } from '@carillon/device-sdk/test-platform';
import { startControl } from './control.ts';
import { startFleet, type Fleet, type FleetOptions } from './fleet.ts';
import { makeInventory } from './inventory.ts';

let folder: string;
let platform: TestPlatform;
let fleet: Fleet | null = null;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'carillon-fleet-'));
  platform = await TestPlatform.start({ port: 0, allows: (mac, secret) => secret === `secret of ${mac}` });
});
afterEach(async () => {
  await fleet?.stop();
  fleet = null;
  await platform.stop();
  await rm(folder, { recursive: true });
});

const credentials = (count: number) =>
  makeInventory(count, 1).map((item) => ({ ...item, secret: `secret of ${item.mac}` }));

async function start(count: number, options: Partial<FleetOptions> = {}): Promise<Fleet> {
  fleet = await startFleet({
    url: platform.url,
    devices: credentials(count),
    stateDir: folder,
    rebootMs: 0,
    connectPerSecond: 0,
    ...options,
  });
  await fleet.ready;
  return fleet;
}

const [mac] = makeInventory(1, 1).map((item) => item.mac) as [string];
const states = () => platform.received.filter(({ kind }) => kind === 'state');
const statuses = (id: string) => platform.answers(id).map(({ status }) => status);

describe('a simulated fleet', () => {
  it('says hello and tells its lines, and each device reboots exactly once however often it is told', async () => {
    const running = await start(60);
    expect(running.stats()).toMatchObject({ devices: 60, connected: 60, troubles: 0 });
    const ids = running.devices().map((device) => platform.send(device.mac));
    await Promise.all(ids.map((id) => platform.answer(id)));
    const reboots = platform.received.length;
    await Promise.all(
      running.devices().map((device) => platform.next((r) => r.mac === device.mac && r.payload.boot === 'reboot')),
    );
    running.devices().forEach((device, index) => platform.send(device.mac, { id: ids[index]! }));
    await Promise.all(ids.map((id) => platform.answer(id, undefined, reboots)));

    const effects = running.effects();
    running
      .devices()
      .forEach((device, index) =>
        expect(effects[device.mac]).toEqual({ [ids[index]!]: { action: 'reboot', count: 1 } }),
      );
    expect(running.stats().effects).toEqual({ reboot: 60 });
    expect(running.stats().commands['reboot']).toBe(120);
    expect(platform.refused).toEqual([]);
    expect(new Set(states().map((state) => state.mac)).size).toBe(60);
  });

  it('keeps its memory and counts over a stop, and counts on', async () => {
    await start(1);
    const first = platform.send(mac);
    await platform.next((r) => r.payload.boot === 'reboot');
    await fleet!.stop();
    const from = platform.received.length;
    const running = await start(1);
    platform.send(mac, { id: first });
    await platform.answer(first, undefined, from);
    const second = platform.send(mac);
    await platform.answer(second);
    expect(running.effects(mac)).toEqual({
      [mac]: { [first]: { action: 'reboot', count: 1 }, [second]: { action: 'reboot', count: 1 } },
    });
  });

  it('waits for the end of a call before it reboots', async () => {
    const running = await start(1);
    await running.change(mac, { calls: 1 });
    const id = platform.send(mac, { args: { whenIdle: true } });
    await platform.answer(id, 'accepted');
    expect(running.effects(mac)[mac]).toEqual({});
    await running.change(mac, { calls: 0 });
    await platform.answer(id, 'success');
    expect(running.effects(mac)[mac]).toEqual({ [id]: { action: 'reboot', count: 1 } });
  });
});

it.each(Object.values(actions).map((action) => [action.key, action] as const))(
  'a simulated device names %s in its hello, and does its example to a success, once',
  async (key, action) => {
    const running = await start(1);
    expect((await platform.hello(mac)).payload['capabilities']).toContain(key);
    const params = action.params.parse(action.example);
    const device = { id: '1', mac, model: 'X7A', firmware: '1', capabilities: [key] };
    const args = action.toArgs(params, device) as Record<string, unknown>;
    const id = platform.send(mac, { action: key, args });
    expect((await platform.answer(id)).payload).toMatchObject({ status: 'success' });
    expect(running.effects(mac)).toEqual({ [mac]: { [id]: { action: key, count: 1 } } });
  },
);

describe('a behaviour', () => {
  it('failing accepts, fails, and has no effect', async () => {
    const running = await start(1, { mix: { failing: 1 } });
    const id = platform.send(mac);
    await platform.answer(id);
    expect([statuses(id), running.stats().effects]).toEqual([['accepted', 'fail'], {}]);
  });

  it('slow answers late, and rightly', async () => {
    await start(1, { mix: { slow: 1 }, slowMs: 100 });
    const id = platform.send(mac);
    await platform.answer(id);
    expect(statuses(id)).toEqual(['accepted', 'success']);
  });

  it('duplicating sends each message twice, with the same content', async () => {
    const running = await start(1, { mix: { duplicating: 1 } });
    const id = platform.send(mac);
    await platform.next((r) => r.payload.boot === 'reboot');
    expect(statuses(id)).toEqual(['accepted', 'accepted', 'success', 'success']);
    expect(running.stats().effects).toEqual({ reboot: 1 });
  });

  it('reordering sends the result before it accepts', async () => {
    await start(1, { mix: { reordering: 1 } });
    const id = platform.send(mac);
    await platform.next((r) => r.payload.boot === 'reboot');
    expect(statuses(id)).toEqual(['success', 'accepted']);
    const alone = platform.send(mac, { action: 'levitate' });
    await platform.answer(alone, 'fail');
  });

  it('dead is connected, answers nothing and does nothing, until it is normal again', async () => {
    const running = await start(1, { mix: { dead: 1 } });
    const id = platform.send(mac);
    await expect.poll(() => running.stats().commands['reboot']).toBe(1);
    await running.behave(mac, 'normal');
    const other = platform.send(mac, { action: 'levitate' });
    await platform.answer(other);
    expect([statuses(id), running.stats().connected, running.stats().effects]).toEqual([[], 1, {}]);
    platform.send(mac, { id });
    await platform.answer(id);
    expect(running.stats().effects).toEqual({ reboot: 1 });
  });

  it('offline does not connect; at run time it falls silent without closing, and comes back when told to', async () => {
    const running = await start(2, { mix: { offline: 1 } });
    expect(running.stats().connected).toBe(0);
    expect(platform.received).toEqual([]);
    await running.behave(mac, 'normal');
    await platform.hello(mac);
    const from = platform.received.length;
    await running.behave(mac, 'offline');
    // By the time another device has said hello, a goodbye of this one would have arrived.
    const other = running.devices()[1]!.mac;
    await running.behave(other, 'normal');
    await platform.hello(other);
    expect(platform.connections).toBe(2);
    platform.send(mac);
    await running.behave(mac, 'normal');
    await platform.next((r) => r.mac === mac && r.kind === 'hello', from);
    expect(running.stats().effects).toEqual({});
  });

  it('clock has times that are wrong by hours, and does commands all the same', async () => {
    await start(1, { mix: { clock: 1 } });
    const id = platform.send(mac);
    const { payload } = await platform.answer(id);
    expect(payload.status).toBe('success');
    expect(Math.abs(Number(payload['at']) - Date.now())).toBeGreaterThan(3_000_000);
  });
});

describe('the control endpoint', () => {
  it('answers what the fleet is and did, changes a device, and refuses what a web page could send', async () => {
    const running = await start(3);
    const server = await startControl(running, { port: 22_020 });
    try {
      const base = 'http://127.0.0.1:22020';
      const post = (where: string, body: unknown, type = 'application/json') =>
        fetch(`${base}${where}`, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': type } });
      expect(await (await fetch(`${base}/stats`)).json()).toMatchObject({
        devices: 3,
        connected: 3,
        behaviours: { normal: 3 },
      });
      expect((await post('/behaviour', { mac, behaviour: 'failing' })).status).toBe(200);
      const id = platform.send(mac);
      expect((await platform.answer(id)).payload.status).toBe('fail');
      await post('/state', { mac, dnd: 'on' });
      await platform.next(
        (r) => r.kind === 'state' && r.mac === mac && r.payload['dnd'] === 'on' && r.payload['lines'] === undefined,
      );
      expect(await (await fetch(`${base}/effects?mac=${mac}`)).json()).toEqual({ [mac]: {} });
      expect(await (await fetch(`${base}/devices`)).json()).toContainEqual({ mac, online: true, behaviour: 'failing' });
      expect(await (await post('/cut', {})).json()).toEqual({ cut: 3 });
      await expect
        .poll(async () => (await fetch(`${base}/stats`)).json(), { timeout: 20_000 })
        .toMatchObject({ offlines: 3, connected: 3 });
      expect((await post('/behaviour', { mac, behaviour: 'lazy' })).status).toBe(400);
      expect((await post('/behaviour', { mac: 'ffffffffffff', behaviour: 'dead' })).status).toBe(404);
      expect((await post('/behaviour', { mac, behaviour: 'dead' }, 'text/plain')).status).toBe(415);
      expect((await fetch(`${base}/secrets`)).status).toBe(404);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
});

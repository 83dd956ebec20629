import { describe, expect, it } from 'vitest';
import { actions, type ActionFiles } from '@carillon/actions';
import { startControl } from './control.ts';
import { mac, gate, startFleets } from './fleet-test.ts';

const { tested, start, statuses } = startFleets();
const states = () => tested.platform.received.filter(({ kind }) => kind === 'state');

describe('a simulated fleet', () => {
  it('says hello, reports its lines, and reboots each device once however often it is told to', async () => {
    const running = await start(60);
    expect(running.stats()).toMatchObject({ devices: 60, connected: 60, troubles: 0 });
    const back = running
      .devices()
      .map((device) => tested.platform.next((r) => r.mac === device.mac && r.payload.boot === 'reboot'));
    const ids = running.devices().map((device) => tested.platform.send(device.mac));
    await Promise.all([...back, ...ids.map((id) => tested.platform.answer(id))]);
    const reboots = tested.platform.received.length;
    running.devices().forEach((device, index) => tested.platform.send(device.mac, { id: ids[index]! }));
    await Promise.all(ids.map((id) => tested.platform.answer(id, undefined, reboots)));

    const effects = running.effects();
    running
      .devices()
      .forEach((device, index) =>
        expect(effects[device.mac]).toEqual({ [ids[index]!]: { action: 'reboot', count: 1 } }),
      );
    expect(running.stats().effects).toEqual({ reboot: 60 });
    expect(running.stats().commands['reboot']).toBe(120);
    expect(tested.platform.refused).toEqual([]);
    expect(new Set(states().map((state) => state.mac)).size).toBe(60);
  });

  it('keeps its memory and counts through a stop, and continues to count', async () => {
    await start(1);
    const first = tested.platform.send(mac);
    await tested.platform.next((r) => r.payload.boot === 'reboot');
    await tested.fleet!.stop();
    const from = tested.platform.received.length;
    const running = await start(1);
    tested.platform.send(mac, { id: first });
    await tested.platform.answer(first, undefined, from);
    const second = tested.platform.send(mac);
    await tested.platform.answer(second);
    expect(running.effects(mac)).toEqual({
      [mac]: { [first]: { action: 'reboot', count: 1 }, [second]: { action: 'reboot', count: 1 } },
    });
  });

  it('waits for the end of a call before it reboots', async () => {
    const running = await start(1);
    await running.change(mac, { calls: 1 });
    const id = tested.platform.send(mac, { args: { whenIdle: true } });
    expect((await tested.platform.answer(id, 'accepted')).payload).toMatchObject({ code: 'busy' });
    expect(running.effects(mac)[mac]).toEqual({});
    await running.change(mac, { calls: 0 });
    await tested.platform.answer(id, 'success');
    expect(tested.platform.answers(id).map(({ status, code }) => [status, code])).toEqual([
      ['accepted', 'busy'],
      ['accepted', undefined],
      ['success', undefined],
    ]);
    expect(running.effects(mac)[mac]).toEqual({ [id]: { action: 'reboot', count: 1 } });
  });
});

it.each(Object.values(actions).map((action) => [action.key, action] as const))(
  'a simulated device announces %s in its hello and does its example successfully once',
  async (key, action) => {
    const running = await start(8);
    const at = action.needs === 'doors' ? gate : mac;
    expect((await tested.platform.hello(at)).payload['capabilities']).toContain(key);
    const params = action.params.parse(action.example);
    const device = { id: '1', mac: at, model: 'X7A', firmware: '1', capabilities: [key], doorCount: 1 };
    const { url, sha256, size, signature, signedBy } = tested.files.linked('9.0');
    const whole = { fileId: '1', fileName: 'desk.bin', size, sha256, signature };
    const brought: ActionFiles = {
      firmware: {
        id: '1',
        name: 'Desk',
        version: '9.0',
        models: ['X7A'],
        least: null,
        whole,
        deltas: [],
        signedBy,
        endorsements: [],
      },
      resourceFile: { id: '1', name: 'Bells', type: 'ringtone', files: [whole] },
      configFile: { id: '1', name: 'Hall', version: 1, models: [], whole },
    };
    const given = action.file && { file: brought[action.file], linkTo: () => url };
    const args = action.toArgs(params, device, given) as Record<string, unknown>;
    const id = tested.platform.send(at, { action: key, args });
    expect((await tested.platform.answer(id)).payload).toMatchObject({ status: 'success' });
    expect(running.effects(at)).toEqual({ [at]: { [id]: { action: key, count: 1 } } });
  },
);

describe('a door', () => {
  const command = (args: object, more: object = {}) =>
    tested.platform.send(gate, { action: 'doorControl', args: { door: 1, command: 'open', ...args }, ...more });
  const doors = () => tested.fleet!.devices().find((device) => device.mac === gate)!.doors!;
  const seen = (from: number) =>
    tested.platform.received
      .slice(from)
      .flatMap((r) => (r.mac === gate && r.kind === 'state' ? [r.payload['doors']] : []));

  it('opens once per order, stays open for its time, closes by itself and reports both', async () => {
    await start(8, { doorMs: 300 });
    await tested.platform.next((r) => r.mac === gate && r.kind === 'state');
    const from = tested.platform.received.length;
    const id = command({});
    await tested.platform.answer(id);
    expect(doors()[0]).toMatchObject({ door: 1, status: 'open', opened: 1 });
    const repeated = tested.platform.received.length;
    command({}, { id });
    await tested.platform.answer(id, undefined, repeated);
    await tested.platform.next((r) => JSON.stringify(r.payload['doors']) === '[{"door":1,"status":"closed"}]', from);
    expect(seen(from)).toEqual([[{ door: 1, status: 'open' }], [{ door: 1, status: 'closed' }]]);
    expect(doors()[0]).toMatchObject({ door: 1, status: 'closed', opened: 1 });
    await tested.platform.answer(command({}));
    expect(doors()[0]).toMatchObject({ opened: 2 });
  });

  it('closes on command, and falls shut when its device goes down', async () => {
    await start(8, { doorMs: 3_600_000 });
    await tested.platform.answer(command({}));
    await tested.platform.answer(command({ command: 'close' }));
    expect(doors()[0]).toMatchObject({ door: 1, status: 'closed', opened: 1 });
    await tested.platform.answer(command({}));
    const from = tested.platform.received.length;
    tested.platform.send(gate, { action: 'reboot' });
    await tested.platform.next((r) => r.mac === gate && r.payload.boot === 'reboot', from);
    expect(doors()[0]).toMatchObject({ door: 1, status: 'closed', opened: 2 });
  });

  it('F19: is not moved by what comes late, nor is another one, and a phone does not say that it has any', async () => {
    const running = await start(8, { mix: { clock: 1 } });
    expect((await tested.platform.hello(mac)).payload['capabilities']).not.toContain('doorControl');
    await tested.platform.next((r) => r.mac === gate && r.kind === 'state');
    const now = Date.now();
    const late = command({}, { expiresAt: now - 1 });
    expect((await tested.platform.answer(late)).payload).toMatchObject({ status: 'fail', code: 'expired' });
    const missing = command({ door: 9 });
    expect((await tested.platform.answer(missing)).payload).toMatchObject({ status: 'fail', code: 'noDoor' });
    expect(doors().map((door) => door.opened)).toEqual(doors().map(() => 0));
    // Two parallel commands are two orders, each done once.
    const both = [command({}), command({})];
    await Promise.all(both.map((id) => tested.platform.answer(id)));
    expect(doors()[0]).toMatchObject({ opened: 2 });
    expect(running.effects(gate)[gate]).toEqual(
      Object.fromEntries(both.map((id) => [id, { action: 'doorControl', count: 1 }])),
    );
  });
});

describe('a behaviour', () => {
  it('failing accepts, fails, and has no effect', async () => {
    const running = await start(1, { mix: { failing: 1 } });
    const id = tested.platform.send(mac);
    await tested.platform.answer(id);
    expect([statuses(id), running.stats().effects]).toEqual([['accepted', 'fail'], {}]);
  });

  it('slow answers late but correctly', async () => {
    await start(1, { mix: { slow: 1 }, slowMs: 100 });
    const id = tested.platform.send(mac);
    await tested.platform.answer(id);
    expect(statuses(id)).toEqual(['accepted', 'success']);
  });

  it('duplicating sends each message twice, with the same content', async () => {
    const running = await start(1, { mix: { duplicating: 1 } });
    const id = tested.platform.send(mac);
    await tested.platform.next((r) => r.payload.boot === 'reboot');
    await expect.poll(() => statuses(id)).toEqual(['accepted', 'accepted', 'success', 'success']);
    expect(running.stats().effects).toEqual({ reboot: 1 });
  });

  it('reordering sends the result before the acceptance', async () => {
    await start(1, { mix: { reordering: 1 } });
    const id = tested.platform.send(mac);
    await tested.platform.next((r) => r.payload.boot === 'reboot');
    await expect.poll(() => statuses(id)).toEqual(['success', 'accepted']);
    const alone = tested.platform.send(mac, { action: 'levitate' });
    await tested.platform.answer(alone, 'fail');
  });

  it('dead is connected but answers and does nothing, until it is normal again', async () => {
    const running = await start(1, { mix: { dead: 1 } });
    const id = tested.platform.send(mac);
    await expect.poll(() => running.stats().commands['reboot']).toBe(1);
    await running.behave(mac, 'normal');
    const other = tested.platform.send(mac, { action: 'levitate' });
    await tested.platform.answer(other);
    expect([statuses(id), running.stats().connected, running.stats().effects]).toEqual([[], 1, {}]);
    tested.platform.send(mac, { id });
    await tested.platform.answer(id);
    expect(running.stats().effects).toEqual({ reboot: 1 });
  });

  it('offline does not connect; at run time it goes silent without closing, and returns on request', async () => {
    const running = await start(2, { mix: { offline: 1 } });
    expect(running.stats().connected).toBe(0);
    expect(tested.platform.received).toEqual([]);
    await running.behave(mac, 'normal');
    await tested.platform.hello(mac);
    const from = tested.platform.received.length;
    await running.behave(mac, 'offline');
    // Once another device has said hello, this one's goodbye would have arrived.
    const other = running.devices()[1]!.mac;
    await running.behave(other, 'normal');
    await tested.platform.hello(other);
    expect(tested.platform.connections).toBe(2);
    tested.platform.send(mac);
    await running.behave(mac, 'normal');
    await tested.platform.next((r) => r.mac === mac && r.kind === 'hello', from);
    expect(running.stats().effects).toEqual({});
  });

  it('clock sends times that are hours off, and does commands nevertheless', async () => {
    await start(1, { mix: { clock: 1 } });
    const id = tested.platform.send(mac);
    const { payload } = await tested.platform.answer(id);
    expect(payload.status).toBe('success');
    expect(Math.abs(Number(payload['at']) - Date.now())).toBeGreaterThan(3_000_000);
  });
});

describe('the control endpoint', () => {
  it('returns states and effects, changes a device, and refuses what a web page could send', async () => {
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
      const id = tested.platform.send(mac);
      expect((await tested.platform.answer(id)).payload.status).toBe('fail');
      await post('/state', { mac, dnd: 'on' });
      await tested.platform.next(
        (r) => r.kind === 'state' && r.mac === mac && r.payload['dnd'] === 'on' && r.payload['lines'] === undefined,
      );
      expect(await (await fetch(`${base}/effects?mac=${mac}`)).json()).toEqual({ [mac]: {} });
      expect(await (await fetch(`${base}/devices`)).json()).toContainEqual({
        mac,
        online: true,
        behaviour: 'failing',
        firmware: expect.stringMatching(/^[\d.]+$/) as string,
      });
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

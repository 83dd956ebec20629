import { createHash, randomBytes } from 'node:crypto';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { actions, type ActionFiles } from '@carillon/actions';
import { packageOf, TestFiles, TestKey, TestPlatform } from '@carillon/device-sdk/test-platform';
import { startControl } from './control.ts';
import { startFleet, type Fleet, type FleetOptions } from './fleet.ts';
import { makeInventory } from './inventory.ts';

let folder: string;
let platform: TestPlatform;
let files: TestFiles;
let fleet: Fleet | null = null;

beforeEach(async () => {
  files = await TestFiles.start(Buffer.alloc(300_000, 'firmware'));
  folder = await mkdtemp(path.join(tmpdir(), 'carillon-fleet-'));
  platform = await TestPlatform.start({ port: 0, allows: (mac, secret) => secret === `secret of ${mac}` });
});
afterEach(async () => {
  await fleet?.stop();
  fleet = null;
  await platform.stop();
  await files.stop();
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
/** The first door of the inventory. */
const gate = makeInventory(8, 1)[7]!.mac;
const states = () => platform.received.filter(({ kind }) => kind === 'state');
const statuses = (id: string) => platform.answers(id).map(({ status }) => status);

describe('a simulated fleet', () => {
  it('says hello, reports its lines, and reboots each device once however often it is told to', async () => {
    const running = await start(60);
    expect(running.stats()).toMatchObject({ devices: 60, connected: 60, troubles: 0 });
    const back = running
      .devices()
      .map((device) => platform.next((r) => r.mac === device.mac && r.payload.boot === 'reboot'));
    const ids = running.devices().map((device) => platform.send(device.mac));
    await Promise.all([...back, ...ids.map((id) => platform.answer(id))]);
    const reboots = platform.received.length;
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

  it('keeps its memory and counts through a stop, and continues to count', async () => {
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
    expect((await platform.answer(id, 'accepted')).payload).toMatchObject({ code: 'busy' });
    expect(running.effects(mac)[mac]).toEqual({});
    await running.change(mac, { calls: 0 });
    await platform.answer(id, 'success');
    expect(platform.answers(id).map(({ status, code }) => [status, code])).toEqual([
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
    expect((await platform.hello(at)).payload['capabilities']).toContain(key);
    const params = action.params.parse(action.example);
    const device = { id: '1', mac: at, model: 'X7A', firmware: '1', capabilities: [key], doorCount: 1 };
    const { url, sha256, size, signature, signedBy } = files.linked('9.0');
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
    const id = platform.send(at, { action: key, args });
    expect((await platform.answer(id)).payload).toMatchObject({ status: 'success' });
    expect(running.effects(at)).toEqual({ [at]: { [id]: { action: key, count: 1 } } });
  },
);

describe('a configuration update', () => {
  const update = (version: string, text: string, args: object = {}) => {
    files.bytes = Buffer.from(text);
    const { url, sha256, size } = files.linked(version);
    return platform.send(mac, { action: 'configUpdate', args: { version, url, sha256, size, mode: 'merge', ...args } });
  };
  const config = () => fleet!.devices()[0]!.config;
  const versions = () =>
    platform.received
      .filter((r) => r.mac === mac && ['hello', 'state'].includes(r.kind) && 'configVersion' in r.payload)
      .map(({ kind, payload }) => `${kind} ${String(payload['configVersion'])}`);

  it('is merged or replaced, kept over a restart, named in state and hello, and lost by a reset', async () => {
    let running = await start(1);
    expect(config()).toBeUndefined();
    const first = update('a.1', 'account.1.label = Hall\naccount.1.fax = 1\n');
    expect((await platform.answer(first)).payload).toMatchObject({
      status: 'success',
      data: { rejected: [{ key: 'account.1.fax', code: 'unknown' }] },
    });
    expect(statuses(first)).toEqual(['accepted', 'downloaded', 'success']);
    expect(config()).toEqual({ version: 'a.1', sha256: files.sha256, keys: ['account.1.label'] });
    await expect.poll(() => versions().at(-1)).toBe('state a.1');
    await platform.answer(update('b.1', '<c><phone.language>ko</phone.language></c>'));
    expect(config()).toMatchObject({ version: 'b.1', keys: ['account.1.label', 'phone.language'] });
    await running.stop();
    running = await start(1);
    await expect.poll(() => versions().at(-1)).toBe('hello b.1');
    await platform.answer(update('c.2', 'time.zone = Europe/Berlin', { mode: 'replace' }));
    expect(config()).toMatchObject({ version: 'c.2', keys: ['time.zone'] });

    // An unreadable or damaged file changes nothing.
    expect((await platform.answer(update('d.1', 'a = \0'))).payload).toMatchObject({ status: 'fail', code: 'syntax' });
    const damaged = update('d.2', 'time.zone = UTC', { sha256: 'a'.repeat(64) });
    expect((await platform.answer(damaged)).payload).toMatchObject({ status: 'fail', code: 'checksum' });
    expect(config()).toMatchObject({ version: 'c.2', keys: ['time.zone'] });
    const failures = platform.received.filter((r) => r.kind === 'state' && r.payload['configFailed'] === true);
    expect(failures).toHaveLength(2);

    await platform.answer(platform.send(mac, { action: 'factoryReset', args: {} }));
    await expect.poll(() => running.devices()[0]!.online).toBe(true);
    expect(config()).toBeUndefined();
    expect(platform.received.findLast(({ kind }) => kind === 'hello')!.payload['configVersion']).toBeUndefined();
    await platform.answer(update('e.1', 'phone.name = Hall'));
    expect(config()).toMatchObject({ version: 'e.1', keys: ['phone.name'] });
  });
});

describe('a resource upgrade', () => {
  const file = (name: string, change: object = {}) => {
    const { url, size, sha256 } = files.linked('');
    return { name, url, size, sha256, ...change };
  };
  const send = (kind: string, name: string, of: object[]) =>
    platform.send(mac, { action: 'resourceUpgrade', args: { kind, name, files: of } });
  const has = () =>
    (fleet!.devices()[0]!.resources ?? []).map((r) => [r.kind, r.name, ...r.files.map((f) => f.name)].join(' '));

  it('replaces all files of a kind and name permanently; a reset removes them', async () => {
    const running = await start(1);
    const first = send('ringtone', 'Bells', [file('one.wav'), file('two.wav')]);
    await platform.answer(first);
    expect(statuses(first)).toEqual(['accepted', 'downloaded', 'success']);
    for (const [kind, name] of [
      ['ringtone', 'Gongs'],
      ['image', 'Bells'],
    ] as const)
      await platform.answer(send(kind, name, [file('a.bin')]));
    await platform.answer(send('ringtone', 'Bells', [file('three.wav')]));
    const all = ['ringtone Gongs a.bin', 'image Bells a.bin', 'ringtone Bells three.wav'];
    expect(has()).toEqual(all);
    expect(running.devices()[0]!.resources![2]!.files).toEqual([
      { name: 'three.wav', size: files.bytes.length, sha256: files.sha256 },
    ]);
    expect(platform.received.filter((r) => r.kind === 'hello' && r.payload.boot !== 'power')).toEqual([]);

    await running.stop();
    await start(1);
    expect(has()).toEqual(all);
    await platform.answer(platform.send(mac, { action: 'reboot', args: {} }));
    expect(has()).toEqual(all);
    await platform.answer(platform.send(mac, { action: 'factoryReset', args: {} }));
    expect(has()).toEqual([]);
    await expect.poll(() => fleet!.devices()[0]!.online).toBe(true);
    await fleet!.stop();
    await start(1);
    expect(has()).toEqual([]);
  });

  it('keeps its files when a new one is wrong, cannot be loaded or has no room', async () => {
    await start(1);
    await platform.answer(send('ringtone', 'Bells', [file('one.wav')]));
    const asked = files.asked.length;
    const fails = async (of: object[]) => {
      const id = send('ringtone', 'Bells', of);
      const { payload } = await platform.answer(id);
      expect(statuses(id)).toEqual(['accepted', 'fail']);
      expect(has()).toEqual(['ringtone Bells one.wav']);
      return payload.code;
    };
    expect(await fails([file('two.wav'), file('three.wav', { sha256: '0'.repeat(64) })])).toBe('checksum');
    // Both were loaded before anything would have been replaced.
    expect(files.asked.length).toBe(asked + 2);
    files.answer = (_, response) => {
      response.writeHead(404).end();
      return 'answered';
    };
    expect(await fails([file('two.wav')])).toBe('download');
    const before = files.asked.length;
    expect(await fails([file('big.bin', { size: 16_777_217 })])).toBe('space');
    expect(files.asked.length).toBe(before);
    // A replaced file frees its room.
    files.answer = () => undefined;
    await platform.answer(send('ringtone', 'Bells', [file('two.wav')]));
    expect(has()).toEqual(['ringtone Bells two.wav']);
  });
});

describe('a door', () => {
  const command = (args: object, more: object = {}) =>
    platform.send(gate, { action: 'doorControl', args: { door: 1, command: 'open', ...args }, ...more });
  const doors = () => fleet!.devices().find((device) => device.mac === gate)!.doors!;
  const told = (from: number) =>
    platform.received.slice(from).flatMap((r) => (r.mac === gate && r.kind === 'state' ? [r.payload['doors']] : []));

  it('opens once per order, stays open for its time, closes by itself and reports both', async () => {
    await start(8, { doorMs: 300 });
    await platform.next((r) => r.mac === gate && r.kind === 'state');
    const from = platform.received.length;
    const id = command({});
    await platform.answer(id);
    expect(doors()[0]).toMatchObject({ door: 1, status: 'open', opened: 1 });
    const repeated = platform.received.length;
    command({}, { id });
    await platform.answer(id, undefined, repeated);
    await platform.next((r) => JSON.stringify(r.payload['doors']) === '[{"door":1,"status":"closed"}]', from);
    expect(told(from)).toEqual([[{ door: 1, status: 'open' }], [{ door: 1, status: 'closed' }]]);
    expect(doors()[0]).toMatchObject({ door: 1, status: 'closed', opened: 1 });
    await platform.answer(command({}));
    expect(doors()[0]).toMatchObject({ opened: 2 });
  });

  it('closes on command, and falls shut when its device goes down', async () => {
    await start(8, { doorMs: 3_600_000 });
    await platform.answer(command({}));
    await platform.answer(command({ command: 'close' }));
    expect(doors()[0]).toMatchObject({ door: 1, status: 'closed', opened: 1 });
    await platform.answer(command({}));
    const from = platform.received.length;
    platform.send(gate, { action: 'reboot' });
    await platform.next((r) => r.mac === gate && r.payload.boot === 'reboot', from);
    expect(doors()[0]).toMatchObject({ door: 1, status: 'closed', opened: 2 });
  });

  it('F19: is not moved by what comes late, nor is another one, and a phone does not say that it has any', async () => {
    const running = await start(8, { mix: { clock: 1 } });
    expect((await platform.hello(mac)).payload['capabilities']).not.toContain('doorControl');
    await platform.next((r) => r.mac === gate && r.kind === 'state');
    const now = Date.now();
    const late = command({}, { expiresAt: now - 1 });
    expect((await platform.answer(late)).payload).toMatchObject({ status: 'fail', code: 'expired' });
    const missing = command({ door: 9 });
    expect((await platform.answer(missing)).payload).toMatchObject({ status: 'fail', code: 'noDoor' });
    expect(doors().map((door) => door.opened)).toEqual(doors().map(() => 0));
    // Two parallel commands are two orders, each done once.
    const both = [command({}), command({})];
    await Promise.all(both.map((id) => platform.answer(id)));
    expect(doors()[0]).toMatchObject({ opened: 2 });
    expect(running.effects(gate)[gate]).toEqual(
      Object.fromEntries(both.map((id) => [id, { action: 'doorControl', count: 1 }])),
    );
  });
});

describe('a firmware upgrade', () => {
  const upgrade = (version: string, args: object = {}) =>
    platform.send(mac, { action: 'firmwareUpgrade', args: { ...files.linked(version), version, ...args } });
  /** A hello that is repeated for the clock counts once. */
  const hellos = () =>
    platform.received
      .filter((r) => r.mac === mac && r.kind === 'hello')
      .map(({ payload }) => `${payload.boot} ${String(payload['firmware'])}`)
      .filter((said, n, all) => said !== all[n - 1]);
  const sold = () => fleet!.devices()[0]!.firmware;

  it('is loaded, checked and started, and the device reports each step', async () => {
    const running = await start(1);
    const before = sold();
    const id = upgrade('9.0');
    await platform.answer(id);
    expect([statuses(id), hellos()]).toEqual([
      ['accepted', 'downloaded', 'success'],
      [`power ${before}`, 'upgrade 9.0'],
    ]);
    expect(running.devices()[0]).toMatchObject({ mac, firmware: '9.0' });
    expect(running.effects(mac)[mac]).toEqual({ [id]: { action: 'firmwareUpgrade', count: 1 } });
  });

  it('stays through a reset and a restart of the simulator, as does the signer that the device trusts', async () => {
    const own = files.key;
    let running = await start(1);
    await platform.answer(upgrade('9.0'));
    await platform.answer(platform.send(mac, { action: 'factoryReset', args: {} }));
    // Its hello is acknowledged, so it has reported the reset.
    await expect.poll(() => running.devices()[0]!.online).toBe(true);
    await running.stop();
    running = await start(1);
    expect([sold(), hellos().slice(1)]).toEqual(['9.0', ['upgrade 9.0', 'reset 9.0', 'power 9.0']]);

    files.key = new TestKey();
    expect((await platform.answer(upgrade('9.1'))).payload).toMatchObject({ status: 'fail', code: 'signature' });
    const endorsements = [own.endorse(files.key)];
    expect((await platform.answer(upgrade('9.1', { endorsements }))).payload.status).toBe('success');
    await running.stop();
    await start(1);
    expect((await platform.answer(upgrade('9.2'))).payload.status).toBe('success');
    files.key = own;
    expect((await platform.answer(upgrade('9.3'))).payload).toMatchObject({ status: 'fail', code: 'signature' });
    expect(sold()).toBe('9.2');
  });

  describe('by a differential package', () => {
    const old = randomBytes(400_000);
    const image = Buffer.concat([old.subarray(200_000), randomBytes(2_000), old.subarray(0, 200_000)]);
    const good = packageOf(old, image, [{ bytes: image, ranges: [[0, old.length]] }]);
    const sum = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    let packages: TestFiles;
    beforeEach(async () => {
      files.bytes = old;
      packages = await TestFiles.start(good);
      packages.key = files.key;
    });
    afterEach(() => packages.stop());
    const formats = (of: string) => {
      const hello = platform.received.findLast((r) => r.mac === of && r.kind === 'hello')!;
      return (hello.payload['capabilities'] as string[]).filter((name) => name.startsWith('delta.'));
    };
    /** Brings the device to the old image by the whole file, and returns its entry of the list. */
    const become = async (of: string, version: string, args: object = {}) => {
      const id = platform.send(of, {
        action: 'firmwareUpgrade',
        args: { ...files.linked(version), version, ...args },
      });
      return (await platform.answer(id)).payload;
    };
    const next = (change: object = {}) => {
      files.bytes = image;
      return { delta: { format: 'zstd-windows', from: '9.0', ...packages.linked('9.1'), ...change } };
    };

    it("builds the new image from the running one, and is announced only while that one's bytes exist", async () => {
      let running = await start(1);
      expect(formats(mac)).toEqual([]);
      await become(mac, '9.0');
      expect([formats(mac), running.devices()[0]]).toEqual([
        ['delta.zstd-windows'],
        expect.objectContaining({ firmware: '9.0', image: sum(old) }),
      ]);
      // Also after a restart of the simulator.
      await running.stop();
      running = await start(1);
      expect(formats(mac)).toEqual(['delta.zstd-windows']);
      const asked = files.asked.length;
      expect(await become(mac, '9.1', next())).toMatchObject({ status: 'success' });
      expect([files.asked.length, packages.asked.length]).toEqual([asked, 1]);
      expect(running.devices()[0]).toMatchObject({ firmware: '9.1', image: sum(image) });
      expect(good.length).toBeLessThan(image.length / 50);
    });

    it.each<[string, () => object]>([
      ['is damaged', () => ((packages.bytes = Buffer.concat([good.subarray(0, 300), randomBytes(1_700)])), next())],
      ['is not there any more', () => next()],
      ['is signed by nobody it trusts', () => next({ signature: new TestKey().sign('else') })],
      ['has a format that it does not know', () => next({ format: 'other' })],
      ['is for another version', () => next({ from: '8.9' })],
    ])('that %s loads the whole file in the same command', async (_, args) => {
      const running = await start(1);
      await become(mac, '9.0');
      packages.answer = (_request, response) => {
        if (packages.bytes !== good) return undefined;
        response.writeHead(410).end();
        return 'answered';
      };
      const change = args();
      const asked = files.asked.length;
      expect(await become(mac, '9.1', change)).toMatchObject({ status: 'success' });
      expect(files.asked).toHaveLength(asked + 1);
      expect(running.devices()[0]).toMatchObject({ firmware: '9.1', image: sum(image) });
    });

    it("is announced by no door, and by no device with an image from a maker's package", async () => {
      const running = await start(8);
      await become(gate, '9.0');
      expect(formats(gate)).toEqual([]);
      await become(mac, '9.0');
      expect(formats(mac)).toEqual(['delta.zstd-windows']);
      await become(mac, '9.1', next({ format: 'maker' }));
      expect([formats(mac), running.devices().find((d) => d.mac === mac)]).toEqual([
        [],
        expect.not.objectContaining({ image: expect.anything() as unknown }),
      ]);
    });
  });

  it('reports its progress while it loads', async () => {
    await start(1, { loadKbit: 400 });
    const id = upgrade('9.0');
    await platform.answer(id);
    const said = platform.answers(id).map(({ status, progress }) => [status, progress]);
    expect(said[0]).toEqual(['accepted', undefined]);
    expect(said.slice(1, -2).length).toBeGreaterThan(0);
    for (const [status, progress] of said.slice(1, -2)) {
      expect(status).toBe('progress');
      expect(progress).toBeGreaterThanOrEqual(10);
      expect(progress).toBeLessThan(100);
    }
  });

  it('that a stop interrupts is loaded again after the start, and done once', async () => {
    const loading = Promise.withResolvers<void>();
    files.answer = (request, response, nth) => {
      if (nth > 1) return undefined;
      loading.resolve();
      response.writeHead(200, { 'content-length': files.bytes.length }).write('firmware');
      return 'answered';
    };
    await start(1);
    const before = sold();
    const id = upgrade('9.0');
    await Promise.all([loading.promise, platform.answer(id, 'accepted')]);
    await fleet!.stop();
    const running = await start(1);
    await platform.answer(id);
    expect(statuses(id)).toEqual(['accepted', 'accepted', 'downloaded', 'success']);
    expect([hellos(), running.effects(mac)[mac]]).toEqual([
      [`power ${before}`, 'upgrade 9.0'],
      { [id]: { action: 'firmwareUpgrade', count: 1 } },
    ]);
  });

  it('after which the device died before its restart is reported as done by its running version', async () => {
    const id = crypto.randomUUID();
    await appendFile(
      path.join(folder, 'devices.log'),
      [
        { mac, id, action: 'firmwareUpgrade', args: files.linked('9.0'), expiresAt: Date.now() + 60_000 },
        { mac, id, effect: 'firmwareUpgrade', count: 1 },
        { mac, firmware: '9.0' },
      ]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    );
    const running = await start(1);
    expect((await platform.answer(id)).payload.status).toBe('success');
    expect([hellos(), files.asked, running.effects(mac)[mac]![id]!.count]).toEqual([['upgrade 9.0'], [], 1]);
  });

  it('runs the old version until its restart, and reports it after a broken connection', async () => {
    // Its last message before the restart is not acknowledged, so that it stays up for a while.
    let heldBack = false;
    await platform.stop();
    platform = await TestPlatform.start({
      port: 0,
      store: ({ payload }) => {
        if (payload.status !== 'downloaded' || heldBack) return undefined;
        heldBack = true;
        return new Promise(() => undefined);
      },
    });
    const running = await start(1, { backOff: { firstMs: 1, mostMs: 1 } });
    const before = sold();
    const id = upgrade('9.0');
    await expect
      .poll(() => readFile(path.join(folder, 'devices.log'), 'utf8'))
      .toContain(JSON.stringify({ mac, firmware: '9.0', image: files.sha256 }));
    running.cut();
    await platform.answer(id, 'success');
    expect(hellos()).toEqual([`power ${before}`, `reconnect ${before}`, 'upgrade 9.0']);
  });

  it.each([
    ['broken', 'fail', 'checksum'],
    ['stuck', 'success', undefined],
  ] as const)('of a device that is %s does not change its version', async (behaviour, status, code) => {
    await start(1, { mix: { [behaviour]: 1 } });
    const before = sold();
    const { payload } = await platform.answer(upgrade('9.0'));
    expect([payload.status, payload.code, sold()]).toEqual([status, code, before]);
    expect(new Set(hellos().map((hello) => hello.split(' ')[1]))).toEqual(new Set([before]));
  });
});

describe('a behaviour', () => {
  it('failing accepts, fails, and has no effect', async () => {
    const running = await start(1, { mix: { failing: 1 } });
    const id = platform.send(mac);
    await platform.answer(id);
    expect([statuses(id), running.stats().effects]).toEqual([['accepted', 'fail'], {}]);
  });

  it('slow answers late but correctly', async () => {
    await start(1, { mix: { slow: 1 }, slowMs: 100 });
    const id = platform.send(mac);
    await platform.answer(id);
    expect(statuses(id)).toEqual(['accepted', 'success']);
  });

  it('duplicating sends each message twice, with the same content', async () => {
    const running = await start(1, { mix: { duplicating: 1 } });
    const id = platform.send(mac);
    await platform.next((r) => r.payload.boot === 'reboot');
    await expect.poll(() => statuses(id)).toEqual(['accepted', 'accepted', 'success', 'success']);
    expect(running.stats().effects).toEqual({ reboot: 1 });
  });

  it('reordering sends the result before the acceptance', async () => {
    await start(1, { mix: { reordering: 1 } });
    const id = platform.send(mac);
    await platform.next((r) => r.payload.boot === 'reboot');
    await expect.poll(() => statuses(id)).toEqual(['success', 'accepted']);
    const alone = platform.send(mac, { action: 'levitate' });
    await platform.answer(alone, 'fail');
  });

  it('dead is connected but answers and does nothing, until it is normal again', async () => {
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

  it('offline does not connect; at run time it goes silent without closing, and returns on request', async () => {
    const running = await start(2, { mix: { offline: 1 } });
    expect(running.stats().connected).toBe(0);
    expect(platform.received).toEqual([]);
    await running.behave(mac, 'normal');
    await platform.hello(mac);
    const from = platform.received.length;
    await running.behave(mac, 'offline');
    // Once another device has said hello, this one's goodbye would have arrived.
    const other = running.devices()[1]!.mac;
    await running.behave(other, 'normal');
    await platform.hello(other);
    expect(platform.connections).toBe(2);
    platform.send(mac);
    await running.behave(mac, 'normal');
    await platform.next((r) => r.mac === mac && r.kind === 'hello', from);
    expect(running.stats().effects).toEqual({});
  });

  it('clock sends times that are hours off, and does commands nevertheless', async () => {
    await start(1, { mix: { clock: 1 } });
    const id = platform.send(mac);
    const { payload } = await platform.answer(id);
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
      const id = platform.send(mac);
      expect((await platform.answer(id)).payload.status).toBe('fail');
      await post('/state', { mac, dnd: 'on' });
      await platform.next(
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

import { createHash, randomBytes } from 'node:crypto';
import { appendFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packageOf, TestFiles, TestKey, TestPlatform } from '@carillon/device-sdk/test-platform';
import { mac, gate, startFleets } from './fleet-test.ts';

const { tested, start, statuses } = startFleets();

describe('a configuration update', () => {
  const update = (version: string, text: string, args: object = {}) => {
    tested.files.bytes = Buffer.from(text);
    const { url, sha256, size } = tested.files.linked(version);
    return tested.platform.send(mac, {
      action: 'configUpdate',
      args: { version, url, sha256, size, mode: 'merge', ...args },
    });
  };
  const config = () => tested.fleet!.devices()[0]!.config;
  const versions = () =>
    tested.platform.received
      .filter((r) => r.mac === mac && ['hello', 'state'].includes(r.kind) && 'configVersion' in r.payload)
      .map(({ kind, payload }) => `${kind} ${String(payload['configVersion'])}`);

  it('is merged or replaced, kept over a restart, named in state and hello, and lost by a reset', async () => {
    let running = await start(1);
    expect(config()).toBeUndefined();
    const first = update('a.1', 'account.1.label = Hall\naccount.1.fax = 1\n');
    expect((await tested.platform.answer(first)).payload).toMatchObject({
      status: 'success',
      data: { rejected: [{ key: 'account.1.fax', code: 'unknown' }] },
    });
    expect(statuses(first)).toEqual(['accepted', 'downloaded', 'success']);
    expect(config()).toEqual({ version: 'a.1', sha256: tested.files.sha256, keys: ['account.1.label'] });
    await expect.poll(() => versions().at(-1)).toBe('state a.1');
    await tested.platform.answer(update('b.1', '<c><phone.language>ko</phone.language></c>'));
    expect(config()).toMatchObject({ version: 'b.1', keys: ['account.1.label', 'phone.language'] });
    await running.stop();
    running = await start(1);
    await expect.poll(() => versions().at(-1)).toBe('hello b.1');
    await tested.platform.answer(update('c.2', 'time.zone = Europe/Berlin', { mode: 'replace' }));
    expect(config()).toMatchObject({ version: 'c.2', keys: ['time.zone'] });

    // An unreadable or damaged file changes nothing.
    expect((await tested.platform.answer(update('d.1', 'a = \0'))).payload).toMatchObject({
      status: 'fail',
      code: 'syntax',
    });
    const damaged = update('d.2', 'time.zone = UTC', { sha256: 'a'.repeat(64) });
    expect((await tested.platform.answer(damaged)).payload).toMatchObject({ status: 'fail', code: 'checksum' });
    expect(config()).toMatchObject({ version: 'c.2', keys: ['time.zone'] });
    const failures = tested.platform.received.filter((r) => r.kind === 'state' && r.payload['configFailed'] === true);
    expect(failures).toHaveLength(2);

    await tested.platform.answer(tested.platform.send(mac, { action: 'factoryReset', args: {} }));
    await expect.poll(() => running.devices()[0]!.online).toBe(true);
    expect(config()).toBeUndefined();
    expect(tested.platform.received.findLast(({ kind }) => kind === 'hello')!.payload['configVersion']).toBeUndefined();
    await tested.platform.answer(update('e.1', 'phone.name = Hall'));
    expect(config()).toMatchObject({ version: 'e.1', keys: ['phone.name'] });
  });
});

describe('a resource upgrade', () => {
  const file = (name: string, change: object = {}) => {
    const { url, size, sha256 } = tested.files.linked('');
    return { name, url, size, sha256, ...change };
  };
  const send = (kind: string, name: string, files: object[]) =>
    tested.platform.send(mac, { action: 'resourceUpgrade', args: { kind, name, files: files } });
  const has = () =>
    (tested.fleet!.devices()[0]!.resources ?? []).map((r) => [r.kind, r.name, ...r.files.map((f) => f.name)].join(' '));

  it('replaces all files of a kind and name permanently; a reset removes them', async () => {
    const running = await start(1);
    const first = send('ringtone', 'Bells', [file('one.wav'), file('two.wav')]);
    await tested.platform.answer(first);
    expect(statuses(first)).toEqual(['accepted', 'downloaded', 'success']);
    for (const [kind, name] of [
      ['ringtone', 'Gongs'],
      ['image', 'Bells'],
    ] as const)
      await tested.platform.answer(send(kind, name, [file('a.bin')]));
    await tested.platform.answer(send('ringtone', 'Bells', [file('three.wav')]));
    const all = ['ringtone Gongs a.bin', 'image Bells a.bin', 'ringtone Bells three.wav'];
    expect(has()).toEqual(all);
    expect(running.devices()[0]!.resources![2]!.files).toEqual([
      { name: 'three.wav', size: tested.files.bytes.length, sha256: tested.files.sha256 },
    ]);
    expect(tested.platform.received.filter((r) => r.kind === 'hello' && r.payload.boot !== 'power')).toEqual([]);

    await running.stop();
    await start(1);
    expect(has()).toEqual(all);
    await tested.platform.answer(tested.platform.send(mac, { action: 'reboot', args: {} }));
    expect(has()).toEqual(all);
    await tested.platform.answer(tested.platform.send(mac, { action: 'factoryReset', args: {} }));
    expect(has()).toEqual([]);
    await expect.poll(() => tested.fleet!.devices()[0]!.online).toBe(true);
    await tested.fleet!.stop();
    await start(1);
    expect(has()).toEqual([]);
  });

  it('keeps its files when a new one is wrong, cannot be loaded or has no room', async () => {
    await start(1);
    await tested.platform.answer(send('ringtone', 'Bells', [file('one.wav')]));
    const asked = tested.files.asked.length;
    const fails = async (files: object[]) => {
      const id = send('ringtone', 'Bells', files);
      const { payload } = await tested.platform.answer(id);
      expect(statuses(id)).toEqual(['accepted', 'fail']);
      expect(has()).toEqual(['ringtone Bells one.wav']);
      return payload.code;
    };
    expect(await fails([file('two.wav'), file('three.wav', { sha256: '0'.repeat(64) })])).toBe('checksum');
    // Both were loaded before anything would have been replaced.
    expect(tested.files.asked.length).toBe(asked + 2);
    tested.files.answer = (_, response) => {
      response.writeHead(404).end();
      return 'answered';
    };
    expect(await fails([file('two.wav')])).toBe('download');
    const before = tested.files.asked.length;
    expect(await fails([file('big.bin', { size: 16_777_217 })])).toBe('space');
    expect(tested.files.asked.length).toBe(before);
    // A replaced file frees its room.
    tested.files.answer = () => undefined;
    await tested.platform.answer(send('ringtone', 'Bells', [file('two.wav')]));
    expect(has()).toEqual(['ringtone Bells two.wav']);
  });
});

describe('a firmware upgrade', () => {
  const upgrade = (version: string, args: object = {}) =>
    tested.platform.send(mac, {
      action: 'firmwareUpgrade',
      args: { ...tested.files.linked(version), version, ...args },
    });
  /** A hello that is repeated for the clock counts once. */
  const hellos = () =>
    tested.platform.received
      .filter((r) => r.mac === mac && r.kind === 'hello')
      .map(({ payload }) => `${payload.boot} ${String(payload['firmware'])}`)
      .filter((said, n, all) => said !== all[n - 1]);
  const sold = () => tested.fleet!.devices()[0]!.firmware;

  it('is loaded, checked and started, and the device reports each step', async () => {
    const running = await start(1);
    const before = sold();
    const id = upgrade('9.0');
    await tested.platform.answer(id);
    expect([statuses(id), hellos()]).toEqual([
      ['accepted', 'downloaded', 'success'],
      [`power ${before}`, 'upgrade 9.0'],
    ]);
    expect(running.devices()[0]).toMatchObject({ mac, firmware: '9.0' });
    expect(running.effects(mac)[mac]).toEqual({ [id]: { action: 'firmwareUpgrade', count: 1 } });
  });

  it('stays through a reset and a restart of the simulator, as does the signer that the device trusts', async () => {
    const own = tested.files.key;
    let running = await start(1);
    await tested.platform.answer(upgrade('9.0'));
    await tested.platform.answer(tested.platform.send(mac, { action: 'factoryReset', args: {} }));
    // Its hello is acknowledged, so it has reported the reset.
    await expect.poll(() => running.devices()[0]!.online).toBe(true);
    await running.stop();
    running = await start(1);
    expect([sold(), hellos().slice(1)]).toEqual(['9.0', ['upgrade 9.0', 'reset 9.0', 'power 9.0']]);

    tested.files.key = new TestKey();
    expect((await tested.platform.answer(upgrade('9.1'))).payload).toMatchObject({ status: 'fail', code: 'signature' });
    const endorsements = [own.endorse(tested.files.key)];
    expect((await tested.platform.answer(upgrade('9.1', { endorsements }))).payload.status).toBe('success');
    await running.stop();
    await start(1);
    expect((await tested.platform.answer(upgrade('9.2'))).payload.status).toBe('success');
    tested.files.key = own;
    expect((await tested.platform.answer(upgrade('9.3'))).payload).toMatchObject({ status: 'fail', code: 'signature' });
    expect(sold()).toBe('9.2');
  });

  describe('by a differential package', () => {
    const old = randomBytes(400_000);
    const image = Buffer.concat([old.subarray(200_000), randomBytes(2_000), old.subarray(0, 200_000)]);
    const good = packageOf(old, image, [{ bytes: image, ranges: [[0, old.length]] }]);
    const sum = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    let packages: TestFiles;
    beforeEach(async () => {
      tested.files.bytes = old;
      packages = await TestFiles.start(good);
      packages.key = tested.files.key;
    });
    afterEach(() => packages.stop());
    const formats = (mac: string) => {
      const hello = tested.platform.received.findLast((r) => r.mac === mac && r.kind === 'hello')!;
      return (hello.payload['capabilities'] as string[]).filter((name) => name.startsWith('delta.'));
    };
    /** Brings the device to the old image by the whole file, and returns its entry of the list. */
    const become = async (mac: string, version: string, args: object = {}) => {
      const id = tested.platform.send(mac, {
        action: 'firmwareUpgrade',
        args: { ...tested.files.linked(version), version, ...args },
      });
      return (await tested.platform.answer(id)).payload;
    };
    const next = (change: object = {}) => {
      tested.files.bytes = image;
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
      const asked = tested.files.asked.length;
      expect(await become(mac, '9.1', next())).toMatchObject({ status: 'success' });
      expect([tested.files.asked.length, packages.asked.length]).toEqual([asked, 1]);
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
      const asked = tested.files.asked.length;
      expect(await become(mac, '9.1', change)).toMatchObject({ status: 'success' });
      expect(tested.files.asked).toHaveLength(asked + 1);
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
    await tested.platform.answer(id);
    const said = tested.platform.answers(id).map(({ status, progress }) => [status, progress]);
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
    tested.files.answer = (request, response, nth) => {
      if (nth > 1) return undefined;
      loading.resolve();
      response.writeHead(200, { 'content-length': tested.files.bytes.length }).write('firmware');
      return 'answered';
    };
    await start(1);
    const before = sold();
    const id = upgrade('9.0');
    await Promise.all([loading.promise, tested.platform.answer(id, 'accepted')]);
    await tested.fleet!.stop();
    const running = await start(1);
    await tested.platform.answer(id);
    expect(statuses(id)).toEqual(['accepted', 'accepted', 'downloaded', 'success']);
    expect([hellos(), running.effects(mac)[mac]]).toEqual([
      [`power ${before}`, 'upgrade 9.0'],
      { [id]: { action: 'firmwareUpgrade', count: 1 } },
    ]);
  });

  it('after which the device died before its restart is reported as done by its running version', async () => {
    const id = crypto.randomUUID();
    await appendFile(
      path.join(tested.folder, 'devices.log'),
      [
        { mac, id, action: 'firmwareUpgrade', args: tested.files.linked('9.0'), expiresAt: Date.now() + 60_000 },
        { mac, id, effect: 'firmwareUpgrade', count: 1 },
        { mac, firmware: '9.0' },
      ]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    );
    const running = await start(1);
    expect((await tested.platform.answer(id)).payload.status).toBe('success');
    expect([hellos(), tested.files.asked, running.effects(mac)[mac]![id]!.count]).toEqual([['upgrade 9.0'], [], 1]);
  });

  it('runs the old version until its restart, and reports it after a broken connection', async () => {
    // Its last message before the restart is not acknowledged, so that it stays up for a while.
    let heldBack = false;
    await tested.platform.stop();
    tested.platform = await TestPlatform.start({
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
      .poll(() => readFile(path.join(tested.folder, 'devices.log'), 'utf8'))
      .toContain(JSON.stringify({ mac, firmware: '9.0', image: tested.files.sha256 }));
    running.cut();
    await tested.platform.answer(id, 'success');
    expect(hellos()).toEqual([`power ${before}`, `reconnect ${before}`, 'upgrade 9.0']);
  });

  it.each([
    ['broken', 'fail', 'checksum'],
    ['stuck', 'success', undefined],
  ] as const)('of a device that is %s does not change its version', async (behaviour, status, code) => {
    await start(1, { mix: { [behaviour]: 1 } });
    const before = sold();
    const { payload } = await tested.platform.answer(upgrade('9.0'));
    expect([payload.status, payload.code, sold()]).toEqual([status, code, before]);
    expect(new Set(hellos().map((hello) => hello.split(' ')[1]))).toEqual(new Set([before]));
  });
});

import { createHash } from 'node:crypto';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { eventually, rawRequest } from '@carillon/testing';
import { testStore } from '../upload/upload-test.ts';
import { downloads, image } from './download-test.ts';
import type { Loaded, Loading } from './devices-test.ts';
import { Downloads } from './download.service.ts';
import { long, refused, over, startDownloads } from './download-store-test.ts';

const { store, rig, running, at, listen, get, ask, stall } = await startDownloads();
/** Returns how often this process has the stored file open. */
const open = (id: string): number =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).endsWith(id);
    } catch {
      return false;
    }
  }).length;

test('a device that disconnects or stops reading leaves nothing behind', async () => {
  const impatient = await testStore('download_idle_bus', { downloadIdleSeconds: 2 });
  const own = downloads(impatient);
  const loading = impatient.service.app.get(Downloads, { strict: false });
  try {
    const where = await listen(impatient, 'idle');
    const { actor, to } = await own.own();
    const fileId = await own.file(actor, image(long));
    const link = () => own.link(own.grant(fileId, to));
    const sockets = await Promise.all(Array.from({ length: 20 }, () => stall(link(), where)));
    expect([loading.atOnce, open(fileId)]).toEqual([20, 1]);
    for (const [i, socket] of sockets.entries()) if (i % 2 === 0) socket.destroy();
    await eventually(() => expect(loading.atOnce).toBe(10));
    // A slow reader is not a stalled one.
    const slow = ask(link(), {}, where).on('error', () => undefined);
    let read = 0;
    slow.on('data', (part: Buffer) => {
      read += part.length;
      slow.pause();
      setTimeout(() => slow.resume(), 100);
    });
    // The stall timeout is two seconds here.
    await eventually(() => expect(loading.atOnce).toBe(1), 20_000);
    expect(open(fileId)).toBe(1);
    const before = read;
    await eventually(() => expect(read).toBeGreaterThan(before));
    slow.destroy();
    await eventually(() => expect([loading.atOnce, open(fileId)]).toEqual([0, 0]));
    for (const socket of sockets) socket.destroy();
  } finally {
    await impatient.close();
  }
});

test(
  '10,000 devices load in bounded memory, resume and verify the checksum [STORE-04]',
  { tags: 'slow', timeout: 600_000 },
  async () => {
    const { actor } = await rig.own();
    const [count, wrong] = [10_000, 7];
    // More than the buffers of a connection.
    const bytes = image(524_288);
    const fileId = await rig.file(actor, bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const devices = await rig.addDevices(Array.from({ length: count }, () => ({ companyId: actor.companyId })));
    const links = devices.map((to) => ({ path: rig.link(rig.grant(fileId, to)), sha256 }));
    links[wrong]!.sha256 = 'ab'.repeat(32);
    const altered = links[0]!.path.replace(/.(?=\/[^/]+$)/, (last) => (last === 'A' ? 'B' : 'A'));
    const late = rig.link(rig.grant(fileId, devices[0]!, { beginBy: Date.now() - 1_000 }));
    const before = process.memoryUsage();
    const reads = running.blocks.reads;
    const child = fork(fileURLToPath(new URL('devices-test.ts', import.meta.url)), []);
    try {
      const most = { arrayBuffers: 0, rss: 0 };
      const watch = setInterval(() => {
        const { arrayBuffers, rss } = process.memoryUsage();
        most.arrayBuffers = Math.max(most.arrayBuffers, arrayBuffers);
        most.rss = Math.max(most.rss, rss);
      }, 20);
      child.send({ ...at, links, size: bytes.length } satisfies Loading);
      expect(await once(child, 'message')).toEqual(['begun', undefined]);
      expect(running.atOnce).toBe(count);
      expect(refused(await get(altered))).toEqual([404, 'file.linkUnknown']);
      // At the limit of downloads a device is asked to come again, and its file stays available.
      const full = await get(late);
      expect([...refused(full), full.headers['retry-after']]).toEqual([503, 'common.unavailable', '10']);
      (store.service.app.getHttpServer() as Server).closeAllConnections();
      const loaded = once(child, 'message') as Promise<[{ loaded: Loaded[] }]>;
      child.send('go');
      const all = (await loaded)[0].loaded;
      clearInterval(watch);
      expect(all.filter((one) => one.isWhole).length).toBe(count - 1);
      expect(all[wrong]).toMatchObject({ first: '200', isWhole: false });
      for (const one of all)
        expect([one.first, one.next, one.had > 0 && one.had < bytes.length]).toEqual(['200', '206', true]);
      expect(refused(await get(late))).toEqual(over);
      // Node's own file stream takes 64 KiB each, and as much again in its connection.
      const grown = Object.fromEntries(
        Object.entries(most).map(([what, max]) => [what, (max - before[what as keyof typeof most]) / 1_048_576]),
      );
      process.stdout.write(`10,000 downloads: ${JSON.stringify(grown)}\n`);
      expect(grown['arrayBuffers']).toBeLessThan((count * 16_384) / 1_048_576);
      // Including all that Node holds per connection and request.
      expect(grown['rss']).toBeLessThan(1_024);
      expect(running.blocks.reads - reads).toBeLessThanOrEqual(2 * Math.ceil(bytes.length / 65_536));
      await eventually(() => expect([running.atOnce, open(fileId)]).toEqual([0, 0]));
    } finally {
      child.kill('SIGKILL');
    }
  },
);

test('above the limit of downloads a device gets Retry-After, and has not begun', async () => {
  const small = await testStore('download_few_bus', { downloads: 2, downloadMbit: 1 });
  const own = downloads(small);
  try {
    const { actor, to } = await own.own();
    const fileId = await own.file(actor, image(long));
    const { socketPath } = await listen(small, 'few');
    const sockets = [1, 2].map(() => {
      const socket = connect(socketPath);
      socket.write(`GET ${own.link(own.grant(fileId, to))} HTTP/1.1\r\nhost: x\r\n\r\n`);
      return socket.on('error', () => undefined);
    });
    const read = sockets.map(() => 0);
    for (const [i, socket] of sockets.entries()) socket.on('data', (part: Buffer) => (read[i]! += part.length));
    await eventually(() => expect(small.service.app.get(Downloads, { strict: false }).atOnce).toBe(2));
    const third = own.grant(fileId, to);
    const answer = await rawRequest({ socketPath }, { path: own.link(third) });
    expect([...refused(answer), answer.headers['retry-after']]).toEqual([503, 'common.unavailable', '10']);
    expect(await own.rows('download', third.commandId)).toBe(0);
    // Both get their share of the bandwidth: a megabit per second, in turn.
    const began = performance.now();
    const first = read[0]! + read[1]!;
    await eventually(() => expect(Math.min(...read)).toBeGreaterThan(100_000));
    const seconds = (performance.now() - began) / 1_000;
    expect(read[0]! + read[1]! - first).toBeLessThan(125_000 * seconds + 50_000);
    expect(Math.abs(read[0]! - read[1]!)).toBeLessThan(3 * 16_384);
    sockets[0]!.destroy();
    await eventually(async () => {
      expect((await rawRequest({ socketPath }, { path: own.link(third), method: 'HEAD' })).status).toBe(200);
    });
    for (const socket of sockets) socket.destroy();
  } finally {
    await small.close();
  }
});

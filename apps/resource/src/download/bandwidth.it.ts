import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getStorage } from '@carillon/contracts';
import { uuidv7 } from '@carillon/persistence';
import { Redis } from '@carillon/service';
import { eventually, type Actor, type TestedService } from '@carillon/testing';
import { testRedis, type TestRedis } from '@carillon/testing/redis';
import { testStore, type TestedStore } from '../upload/upload-test.ts';
import { downloads, image } from './download-test.ts';
import { Downloads } from './download.service.ts';

/** Two processes of the service over one database, one folder and one Redis, with 40 Mbit/s in all. */
let server: TestRedis;
let redis: Redis[];
let store: TestedStore;
let rig: ReturnType<typeof downloads>;
let processes: TestedService[];
let folder: string;
const megabyte = 1_000_000;
const long = 30 * megabyte;

beforeAll(async () => {
  server = await testRedis();
  const prefix = `t${randomBytes(6).toString('hex')}`;
  redis = await Promise.all([0, 1].map(() => Redis.open({ url: server.url, prefix })));
  store = await testStore('bandwidth_bus', { downloadMbit: 40, downloadCheckMs: 100 }, { redis: redis[0]! });
  processes = [store.service, await store.another(redis[1])];
  rig = downloads(store);
  folder = mkdtempSync(join(tmpdir(), 'carillon-bandwidth-'));
  for (const [i, { app }] of processes.entries())
    await app
      .getHttpAdapter()
      .getInstance()
      .listen({ path: join(folder, String(i)) });
});
afterAll(async () => {
  await processes?.[1]?.close();
  await store?.close();
  for (const one of redis ?? []) await one.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Load {
  bytes: number;
  socket: Socket;
}
const loads: Load[] = [];
/** Starts a download by a device of a site from one of the processes. */
async function load(owner: Actor, fileId: string, siteId: string | null, process: number): Promise<Load> {
  const to = await rig.publishDevice({ companyId: owner.companyId, siteId });
  const socket = connect(join(folder, String(process))).on('error', () => undefined);
  const one = { bytes: 0, socket };
  loads.push(one);
  socket.on('data', (part: Buffer) => (one.bytes += part.length));
  socket.write(`GET ${rig.link(rig.grant(fileId, to))} HTTP/1.1\r\nhost: x\r\n\r\n`);
  return one;
}
const sum = (loads: readonly Load[]): number => loads.reduce((bytes, one) => bytes + one.bytes, 0);
/** Measures megabytes per second until these have received this many more bytes, and what each received. */
async function rate(loads: readonly Load[], bytes: number): Promise<{ rate: number; each: number[] }> {
  const before = loads.map((one) => one.bytes);
  const [first, began] = [sum(loads), performance.now()];
  await eventually(() => expect(sum(loads) - first).toBeGreaterThan(bytes), 60_000);
  const seconds = (performance.now() - began) / 1_000;
  return { rate: (sum(loads) - first) / megabyte / seconds, each: loads.map((one, i) => one.bytes - before[i]!) };
}

test(
  'two processes keep the limits of site and installation, with a fair share [STORE-04/bandwidth]',
  { tags: 'slow', timeout: 180_000 },
  async () => {
    const { actor } = await rig.own();
    const fileId = await rig.file(actor, image(long));
    const [near, hall] = [uuidv7(), uuidv7()];
    await rig.site(near, actor.companyId, 8);
    await rig.site(hall, actor.companyId, null, near);
    expect(await store.service.as(actor)(getStorage)).toMatchObject({ downloadMbit: 40 });
    // Three on one process, one on the other: no process has a fixed half.
    const [a, b, c, d] = [
      await load(actor, fileId, near, 0),
      await load(actor, fileId, near, 0),
      await load(actor, fileId, hall, 0),
      await load(actor, fileId, near, 1),
    ];
    const atSite = [a, b, c, d];
    await eventually(() => expect(Math.min(...atSite.map(({ bytes }) => bytes))).toBeGreaterThan(0));
    const alone = await rate(atSite, 5 * megabyte);
    expect(alone.rate).toBeGreaterThan(0.8);
    expect(alone.rate).toBeLessThan(1.15);
    const equal = alone.each.reduce((all, one) => all + one) / 4;
    for (const one of alone.each) expect(one / equal).toBeGreaterThan(0.6);

    // The installation has five megabytes a second: the site keeps its one, the others share four.
    const elsewhere = [await load(actor, fileId, null, 0), await load(actor, fileId, null, 1)];
    await eventually(() => expect(Math.min(...elsewhere.map(({ bytes }) => bytes))).toBeGreaterThan(0));
    const siteBefore = sum(atSite);
    const together = await rate(elsewhere, 16 * megabyte);
    expect(together.rate).toBeGreaterThan(3);
    expect(together.rate).toBeLessThan(4.8);
    for (const one of together.each) expect(one / together.each.reduce((all, next) => all + next)).toBeGreaterThan(0.3);
    const figures = { site: alone.rate, elsewhere: together.rate };
    process.stdout.write(`two processes, megabytes a second of 1 and of 4: ${JSON.stringify(figures)}\n`);
    const seconds = together.each.reduce((all, one) => all + one) / megabyte / together.rate;
    expect((sum(atSite) - siteBefore) / megabyte / seconds).toBeLessThan(1.15);
    for (const { socket } of elsewhere) socket.destroy();

    // Before the others have had a second of the site's bandwidth.
    const then = sum(atSite);
    const late = await load(actor, fileId, near, 1);
    await eventually(() => expect(late.bytes).toBeGreaterThan(0));
    expect(sum(atSite) - then).toBeLessThan(megabyte);

    // Without Redis each process continues with its share, and never without a limit.
    await server.kill();
    await eventually(() => expect(redis.some((one) => one.ready)).toBe(false));
    const away = await rate([...atSite, late], 3 * megabyte);
    expect(away.rate).toBeGreaterThan(0.5);
    expect(away.rate).toBeLessThan(1.15);
    await server.start();
    await eventually(() => expect(redis.every((one) => one.ready)).toBe(true), 15_000);

    // A changed limit applies at once to running downloads; without one the installation's remains.
    await rig.site(near, actor.companyId, null);
    const free = await rate([...atSite, late], 10 * megabyte);
    expect(free.rate).toBeGreaterThan(2.5);
    for (const { socket } of loads) socket.destroy();
    await eventually(() =>
      expect(processes.map(({ app }) => app.get(Downloads, { strict: false }).atOnce)).toEqual([0, 0]),
    );
  },
);

test("the limit of another company's site does not apply here", async () => {
  const [{ actor }, { actor: stranger }] = [await rig.own(), await rig.own()];
  const site = uuidv7();
  await rig.site(site, stranger.companyId, 1);
  const fileId = await rig.file(actor, image(4 * megabyte));
  const one = await load(actor, fileId, site, 0);
  // At a megabit per second it would take half a minute.
  const { rate: got } = await rate([one], 3 * megabyte);
  expect(got).toBeGreaterThan(1);
  one.socket.destroy();
}, 60_000);

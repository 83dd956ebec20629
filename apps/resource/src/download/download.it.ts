import { createHash } from 'node:crypto';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addFirmware,
  addOfficialFirmware,
  deleteFirmware,
  deleteOfficialFirmware,
  permissionKeys,
} from '@carillon/contracts';
import { setLogDestination, startTracing } from '@carillon/observability';
import { currentSql, uuidv7 } from '@carillon/persistence';
import { eventually, newActor, rawRequest } from '@carillon/testing';
import { Sweep } from '../store/sweep.ts';
import { testStore, type TestedStore } from '../upload/upload-test.ts';
import { downloads, image } from './download-test.ts';
import type { Loaded, Loading } from './devices-test.ts';
import { Downloads } from './download.service.ts';

let store: TestedStore;
let rig: ReturnType<typeof downloads>;
let at: { socketPath: string };
let folder: string;
let running: Downloads;
/** Longer than the buffers of a connection. */
const long = 4 * 1_048_576 + 123;

beforeAll(async () => {
  store = await testStore('download_bus', { downloadCheckMs: 200, downloadIdleSeconds: 3_600 });
  rig = downloads(store);
  running = store.service.app.get(Downloads, { strict: false });
  folder = mkdtempSync(join(tmpdir(), 'carillon-download-'));
  at = await listen(store, 'service');
});
afterAll(async () => {
  await store?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function listen({ service }: TestedStore, name: string): Promise<{ socketPath: string }> {
  const socketPath = join(folder, `${name}.sock`);
  await service.app.getHttpAdapter().getInstance().listen({ path: socketPath });
  return { socketPath };
}
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  rawRequest(at, { path, headers, method });
/** Requests raw bytes instead of text. */
function load(path: string, headers: Record<string, string> = {}): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const socket = ask(path, headers);
    socket
      .on('data', (part: Buffer) => parts.push(part))
      .on('error', reject)
      .on('close', () => {
        const all = Buffer.concat(parts);
        resolve(all.subarray(all.indexOf('\r\n\r\n') + 4));
      });
  });
}
function ask(path: string, headers: Record<string, string> = {}, { socketPath } = at): Socket {
  const lines = Object.entries({ host: 'x', connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const socket = connect(socketPath);
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  return socket;
}
/** Reads the start and then stops reading. */
async function stall(path: string, where = at): Promise<Socket> {
  const socket = ask(path, {}, where).on('error', () => undefined);
  await once(socket, 'data');
  socket.pause();
  return socket;
}
/** Returns how often this process has the stored file open. */
const open = (id: string): number =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).endsWith(id);
    } catch {
      return false;
    }
  }).length;
const refused = ({ status, json }: { status: number; json: { error?: string } }) => [status, json?.error];
const over = [410, 'file.linkOver'];

test('a device loads its file by its link, whole, in ranges and resumed, with 304 for a known one [STORE-04/ranges]', async () => {
  const { actor, to } = await rig.own();
  const bytes = image(300_001);
  const link = rig.link(rig.grant(await rig.file(actor, bytes), to));
  expect((await load(link)).equals(bytes)).toBe(true);
  const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
  const whole = {
    'content-length': '300001',
    'accept-ranges': 'bytes',
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''X7A%202.0.bin`,
    etag,
  };
  expect(await get(link)).toMatchObject({ status: 200, headers: whole });
  expect(await get(link, {}, 'HEAD')).toMatchObject({ status: 200, headers: whole, text: '' });
  // Across the edges of read blocks, and within one.
  for (const [range, from, to_] of [
    ['bytes=0-0', 0, 0],
    ['bytes=16383-16384', 16_383, 16_384],
    ['bytes=100-140000', 100, 140_000],
    ['bytes=65535-65537', 65_535, 65_537],
    ['bytes=299999-', 299_999, 300_000],
    ['bytes=-7', 299_994, 300_000],
    ['bytes=200000-999999', 200_000, 300_000],
  ] as const) {
    const part = await load(link, { range });
    expect(part.equals(bytes.subarray(from, to_ + 1)), range).toBe(true);
    expect(await get(link, { range, 'if-range': etag }), range).toMatchObject({
      status: 206,
      headers: { 'content-range': `bytes ${from}-${to_}/300001`, 'content-length': String(to_ - from + 1) },
    });
  }
  for (const range of ['bytes=300001-', 'bytes=999999-1000000'])
    expect(await get(link, { range })).toMatchObject({
      status: 416,
      headers: { 'content-range': 'bytes */300001', 'content-length': '0' },
    });
  for (const headers of [
    { range: 'bytes=0-1,5-6' },
    { range: 'lines=1-2' },
    { range: 'bytes=0-1', 'if-range': '"x"' },
  ] as Record<string, string>[])
    expect(await get(link, headers)).toMatchObject({ status: 200, headers: { 'content-length': '300001' } });
  expect(await get(link, { 'if-none-match': etag })).toMatchObject({ status: 304, text: '', headers: { etag } });
  expect((await get(link, {}, 'POST')).status).toBe(404);
});

test('a forged link is 404, an expired one 410, and neither starts a download [STORE-04/links]', async () => {
  const { actor, to } = await rig.own();
  const fileId = await rig.file(actor, image(5_000));
  const good = rig.grant(fileId, to);
  const [, , token] = rig.link(good).split('/');
  for (const wrong of ['x', `${token}A`, `${token}!`, token!.slice(1), `${token!.slice(0, 20)}_${token!.slice(21)}A`])
    expect(refused(await get(`/f/${wrong}/a.bin`)), wrong).toEqual([404, 'file.linkUnknown']);

  const refuse = async (what: string, more: Parameters<typeof rig.grant>[2], device = to): Promise<void> => {
    const grant = rig.grant(fileId, device, more);
    const answer = await get(rig.link(grant));
    expect([...refused(answer), answer.headers['content-type']], what).toEqual([
      ...over,
      'application/json; charset=utf-8',
    ]);
    expect(refused({ ...(await get(rig.link(grant), { 'accept-language': 'ko' })) }), what).toEqual(over);
    expect(await rig.rows('download', grant.commandId), what).toBe(0);
  };
  await refuse('not begun in time', { beginBy: Date.now() - 1_000 });
  await refuse('over', { until: Date.now() - 1_000 });
  await refuse('an earlier owner', { ownerEpoch: 0 });
  await refuse('a device that nobody knows', { deviceId: uuidv7() });
  await refuse('a file that is not there', { fileId: uuidv7() });
  // A link names its company: another company's device does not match.
  await refuse('another company', { companyId: newActor().companyId });
  const stopped = uuidv7();
  await rig.task(stopped, to.companyId, { stopped: false });
  expect((await get(rig.link(rig.grant(fileId, to, { taskId: stopped })))).status).toBe(200);
  await rig.task(stopped, to.companyId, { stopped: true });
  await refuse('a stopped task', { taskId: stopped });
  // Also when no device of the task remains.
  await rig.task(stopped, to.companyId, null);
  await refuse('an ended task', { taskId: stopped });

  expect((await get(rig.link(good))).status).toBe(200);
  expect(await rig.rows('download', good.commandId)).toBe(1);
  // Handed over: downloads from the earlier owner end for both.
  await rig.remove(to);
  await refuse('a deleted device', { commandId: good.commandId }).catch(() => undefined);
  expect(refused(await get(rig.link(good)))).toEqual(over);
  const other = await rig.tell({ ...to, companyId: newActor().companyId, ownerEpoch: 2 });
  expect(refused(await get(rig.link(good)))).toEqual(over);
  await refuse('the company of before', { companyId: to.companyId, ownerEpoch: 2 });
  expect((await get(rig.link(rig.grant(fileId, other)))).status).toBe(200);
});

test('a download begun in time may be resumed; HEAD and 304 do not count [STORE-04/resume]', async () => {
  const { actor, to } = await rig.own();
  const bytes = image(50_000);
  const grant = rig.grant(await rig.file(actor, bytes), to);
  const late = { ...grant, beginBy: Date.now() - 1_000 };
  const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
  expect((await get(rig.link(grant), {}, 'HEAD')).status).toBe(200);
  expect((await get(rig.link(grant), { 'if-none-match': etag })).status).toBe(304);
  expect(refused(await get(rig.link(late)))).toEqual(over);
  expect((await load(rig.link(grant), { range: 'bytes=0-999' })).length).toBe(1_000);
  expect((await load(rig.link(late), { range: 'bytes=1000-', 'if-range': etag })).equals(bytes.subarray(1_000))).toBe(
    true,
  );
  expect((await get(rig.link(late), {}, 'HEAD')).status).toBe(200);
  expect(refused(await get(rig.link({ ...late, until: Date.now() - 1_000 })))).toEqual(over);
  expect(refused(await get(rig.link({ ...late, commandId: uuidv7() })))).toEqual(over);

  // Its row is deleted at its end, and the bytes stay until then, whatever happens to their record.
  const sweep = store.service.app.get(Sweep, { strict: false });
  await rig.look(() =>
    currentSql().query(`update stored_file set used_at = now() - interval '2 hours' where id = $1`, [grant.fileId]),
  );
  await rig.look(() => currentSql().query('delete from upload where stored_id = $1', [grant.fileId]));
  await sweep.forget();
  expect(await rig.rows('stored_file', grant.fileId)).toBe(1);
  expect((await get(rig.link(late))).status).toBe(200);
  await rig.look(() =>
    currentSql().query(`update download set until = now() - interval '1 second' where id = $1`, [grant.commandId]),
  );
  await sweep.forget();
  await sweep.forget();
  expect(await rig.rows('download', grant.commandId)).toBe(0);
  expect(await rig.rows('stored_file', grant.fileId)).toBe(0);
});

test('a running download ends when its task is stopped, its device is deleted, or it expires', async () => {
  const { actor, to } = await rig.own();
  const fileId = await rig.file(actor, image(long));
  const ends = async (
    more: Parameters<typeof rig.grant>[2],
    end: (taskId: string) => Promise<unknown>,
  ): Promise<void> => {
    const taskId = uuidv7();
    await rig.task(taskId, to.companyId, { stopped: false });
    const socket = await stall(rig.link(rig.grant(fileId, to, { taskId, ...more })));
    const closed = once(socket, 'close');
    let length = 0;
    await end(taskId);
    await eventually(() => expect(running.atOnce).toBe(0));
    socket.on('data', (part: Buffer) => (length += part.length)).resume();
    await closed;
    expect(length).toBeLessThan(long);
  };
  await ends({}, (taskId) => rig.task(taskId, to.companyId, { stopped: true }));
  await ends({ until: Date.now() + 2_000 }, () => Promise.resolve());
  await ends({}, () => rig.remove(to));
});

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
  '10,000 devices load at once with bounded memory, resume after a break and verify the checksum [STORE-04]',
  { tags: 'slow', timeout: 600_000 },
  async () => {
    const { actor } = await rig.own();
    const [count, wrong] = [10_000, 7];
    // More than the buffers of a connection.
    const bytes = image(524_288);
    const fileId = await rig.file(actor, bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const devices = await rig.told(Array.from({ length: count }, () => ({ companyId: actor.companyId })));
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

test('what a link carries is in no log and no trace, whatever goes wrong', async () => {
  const { actor, to } = await rig.own();
  const fileId = await rig.file(actor, image(70_000));
  const spans = join(folder, 'spans.jsonl');
  const lines: string[] = [];
  setLogDestination({ write: (line: string) => void lines.push(line) }, 'trace');
  const stopTracing = startTracing('resource', { file: spans });
  const links = [rig.grant(fileId, to), rig.grant(fileId, to, { until: 0 }), rig.grant(uuidv7(), to)].map((grant) =>
    rig.link(grant),
  );
  try {
    for (const link of links) await get(link);
    await get(`${links[0]}x/y`);
    await get(links[0]!, {}, 'POST');
    // The stored file disappears.
    rmSync(join(store.folder, fileId.slice(-2), fileId));
    expect(refused(await get(links[0]!))).toEqual(over);
    await stopTracing();
    expect(lines.some((line) => line.includes('a file that a link names is not there'))).toBe(true);
    const all = lines.join('\n') + readFileSync(spans, 'utf8');
    expect(all).toContain('/f/:token/:name');
    for (const link of links) expect(all).not.toContain(link.split('/')[2]!.slice(0, 40));
  } finally {
    setLogDestination(undefined);
  }
});

test('firmware that a device runs, ran before or will get is not deleted, and the error has the counts', async () => {
  const boss = newActor({ permissions: permissionKeys });
  const call = store.service.as(boss);
  let images = 0;
  const upload = () => store.upload(boss, 'image.bin', image(2_000 + images++), 'firmware');
  const made = await call(addFirmware, {
    body: {
      name: 'Desk',
      version: '2.4',
      models: ['X7A', 'X6U'],
      description: '',
      notice: { whom: 'nobody', at: null },
      upload: await upload(),
    },
  });
  const remove = (
    body: { id: string },
    route: typeof deleteFirmware | typeof deleteOfficialFirmware = deleteFirmware,
  ) =>
    call(route as typeof deleteFirmware, { query: { id: body.id } }).then(
      () => 'deleted',
      (e: { code: number; error: string; message: string }) => [e.code, e.error, e.message],
    );
  const said = (devices: string, tasks: string) => [
    409,
    'firmware.inUse',
    expect.stringMatching(new RegExp(`^${devices}.*, and ${tasks}`)),
  ];
  const runs = await rig.tell({ companyId: boss.companyId, firmware: '2.4.0' });
  const ran = await rig.tell({ companyId: boss.companyId, model: 'X6U', firmware: '2.4' });
  await rig.tell({ ...ran, firmware: '3.0' });
  // A device of another model, one of another company, and one that left the version two updates ago.
  await rig.tell({ companyId: boss.companyId, model: 'C60', firmware: '2.4' });
  await rig.tell({ firmware: '2.4' });
  const left = await rig.tell({ companyId: boss.companyId, firmware: '2.4' });
  for (const firmware of ['2.5', null, '2.6']) await rig.tell({ ...left, firmware });
  expect(await rig.copyOf(left.id)).toMatchObject([{ firmware: '2.6', previousFirmware: '2.5' }]);
  // The same for several changes of a device in one batch.
  const quickId = uuidv7();
  const [quick] = await rig.told(['2.1', '2.2', null, '2.3'].map((firmware) => ({ ...left, id: quickId, firmware })));
  expect(await rig.copyOf(quick!.id)).toMatchObject([{ firmware: '2.3', previousFirmware: '2.2' }]);
  await rig.told(['2.3', '2.3'].map((firmware) => ({ ...quick, firmware })));
  expect(await rig.copyOf(quick!.id)).toMatchObject([{ firmware: '2.3', previousFirmware: '2.2' }]);
  const task = uuidv7();
  await rig.task(task, boss.companyId, { stopped: false, objectId: made.id });
  expect(await remove(made)).toEqual(said('2 devices run', '1 open task brings'));
  await rig.task(task, boss.companyId, null);
  expect(await remove(made)).toEqual(said('2 devices run', '0 open tasks bring'));
  await rig.remove(runs);
  expect(await remove(made)).toEqual(said('1 device runs', '0 open tasks bring'));
  await rig.tell({ ...ran, firmware: '3.1' });
  expect(await remove(made)).toBe('deleted');

  // Official firmware is in use in any company.
  const official = await call(addOfficialFirmware, {
    body: {
      name: 'Desk',
      version: '6.6',
      models: ['X7A'],
      description: '',
      notice: { whom: 'company', at: null },
      upload: await upload(),
    },
  });
  const elsewhere = await rig.tell({ firmware: '6.6' });
  const another = uuidv7();
  await rig.task(another, elsewhere.companyId, { stopped: true, objectId: official.id });
  expect(await remove(official, deleteOfficialFirmware)).toEqual(said('1 device runs', '1 open task brings'));
  await rig.remove(elsewhere);
  await rig.task(another, elsewhere.companyId, null);
  expect(await remove(official, deleteOfficialFirmware)).toBe('deleted');
});

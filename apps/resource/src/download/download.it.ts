import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  addFirmware,
  addOfficialFirmware,
  deleteFirmware,
  deleteOfficialFirmware,
  permissionKeys,
} from '@carillon/contracts';
import { setLogDestination, startTracing } from '@carillon/observability';
import { currentSql, uuidv7 } from '@carillon/persistence';
import { eventually, newActor } from '@carillon/testing';
import { Sweep } from '../store/sweep.ts';
import { image } from './download-test.ts';
import { long, refused, over, startDownloads } from './download-store-test.ts';

const { store, rig, running, folder, get, ask, stall } = await startDownloads();
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

test('a device loads its file whole, in ranges and resumed, with 304 for a known one [STORE-04/ranges]', async () => {
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
  const other = await rig.publishDevice({ ...to, companyId: newActor().companyId, ownerEpoch: 2 });
  expect(refused(await get(rig.link(good)))).toEqual(over);
  await refuse('the earlier company', { companyId: to.companyId, ownerEpoch: 2 });
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
  const runs = await rig.publishDevice({ companyId: boss.companyId, firmware: '2.4.0' });
  const ran = await rig.publishDevice({ companyId: boss.companyId, model: 'X6U', firmware: '2.4' });
  await rig.publishDevice({ ...ran, firmware: '3.0' });
  // A device of another model, one of another company, and one that left the version two updates ago.
  await rig.publishDevice({ companyId: boss.companyId, model: 'C60', firmware: '2.4' });
  await rig.publishDevice({ firmware: '2.4' });
  const left = await rig.publishDevice({ companyId: boss.companyId, firmware: '2.4' });
  for (const firmware of ['2.5', null, '2.6']) await rig.publishDevice({ ...left, firmware });
  expect(await rig.copyOf(left.id)).toMatchObject([{ firmware: '2.6', previousFirmware: '2.5' }]);
  // The same for several changes of a device in one batch.
  const quickId = uuidv7();
  const [quick] = await rig.addDevices(
    ['2.1', '2.2', null, '2.3'].map((firmware) => ({ ...left, id: quickId, firmware })),
  );
  expect(await rig.copyOf(quick!.id)).toMatchObject([{ firmware: '2.3', previousFirmware: '2.2' }]);
  await rig.addDevices(['2.3', '2.3'].map((firmware) => ({ ...quick, firmware })));
  expect(await rig.copyOf(quick!.id)).toMatchObject([{ firmware: '2.3', previousFirmware: '2.2' }]);
  const task = uuidv7();
  await rig.task(task, boss.companyId, { stopped: false, objectId: made.id });
  expect(await remove(made)).toEqual(said('2 devices run', '1 open task brings'));
  await rig.task(task, boss.companyId, null);
  expect(await remove(made)).toEqual(said('2 devices run', '0 open tasks bring'));
  await rig.remove(runs);
  expect(await remove(made)).toEqual(said('1 device runs', '0 open tasks bring'));
  await rig.publishDevice({ ...ran, firmware: '3.1' });
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
  const elsewhere = await rig.publishDevice({ firmware: '6.6' });
  const another = uuidv7();
  await rig.task(another, elsewhere.companyId, { stopped: true, objectId: official.id });
  expect(await remove(official, deleteOfficialFirmware)).toEqual(said('1 device runs', '1 open task brings'));
  await rig.remove(elsewhere);
  await rig.task(another, elsewhere.companyId, null);
  expect(await remove(official, deleteOfficialFirmware)).toBe('deleted');
});

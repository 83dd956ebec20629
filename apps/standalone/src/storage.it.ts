import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  addResourceFile,
  alarmKinds,
  deleteResourceFile,
  getStorage,
  languages,
  listMessages,
  type Language,
} from '@carillon/contracts';
import type { PostgresBus } from '@carillon/messaging';
import { notificationService } from '@carillon/notification/module';
import { currentSql, platform } from '@carillon/persistence';
import { resourceService } from '@carillon/resource/module';
import { DeletedRetention, type ServiceDefinition } from '@carillon/service';
import { eventually, newActor, testBus, testService, type Actor, type TestedService } from '@carillon/testing';

/** The storage quota with the real services: resource counts, notification shows the alarm. */
const megabyte = 1_048_576;
const folder = mkdtempSync(join(tmpdir(), 'carillon-storage-'));
let bus: PostgresBus;
let resource: TestedService;
let notification: TestedService;
beforeAll(async () => {
  bus = await testBus('storage_bus');
  resource = await testService(resourceService as unknown as ServiceDefinition, bus, {
    filesFolder: folder,
    uploadReserve: 0,
    signingKey: randomBytes(32),
    dataKey: randomBytes(32),
    storageMegabytes: 10,
    sweepMs: 100,
  });
  notification = await testService(notificationService as unknown as ServiceDefinition, bus, {
    mailKey: randomBytes(32),
  });
});
afterAll(async () => {
  await resource?.close();
  await notification?.close();
  await bus?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function tus(actor: Actor, method: string, url: string, headers: Record<string, string>, payload?: Buffer) {
  const answer = await resource.app
    .getHttpAdapter()
    .getInstance()
    .inject({
      method: method as 'POST',
      url,
      headers: { ...resource.headersOf(actor), 'tus-resumable': '1.0.0', ...headers },
      ...(payload ? { payload } : {}),
    });
  const { error, msg } = answer.body.startsWith('{') ? (JSON.parse(answer.body) as Record<string, string>) : {};
  return { status: answer.statusCode, error, msg, at: String(answer.headers['location']) };
}
const begin = (actor: Actor, bytes: number, language: Language = 'en_US') =>
  tus({ ...actor, language }, 'POST', '/api/f/resource/resourceFile/upload', {
    'carillon-language': language,
    'upload-length': String(bytes),
    'upload-metadata': `filename ${Buffer.from('a.txt').toString('base64')}`,
  });
let files = 0;
/** Stores a file. Returns the id of its record. */
async function stored(actor: Actor, bytes: number): Promise<string> {
  const { at } = await begin(actor, bytes);
  const name = `File ${files++} `;
  const part = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
  expect((await tus(actor, 'PATCH', at, part, Buffer.alloc(bytes, name))).status).toBe(204);
  const upload = at.split('/').at(-1)!;
  const body = { name, type: 'image' as const, description: '', uploads: [upload] };
  return (await resource.as(actor)(addResourceFile, { body })).id;
}
const used = async (actor: Actor) => (await resource.as(actor)(getStorage)).used / megabyte;
/** Returns the company's storage alarms, oldest first. */
const alarms = async (actor: Actor) =>
  (
    await notification.as(actor)(listMessages, { query: { type: [alarmKinds.storage], sort: 'createTime' } })
  ).records.map(({ type, level, title, content }) => ({ type, level, title, content }));
const alarm = (level: string, percent: number) => ({
  type: 2,
  level,
  title: 'Cloud storage is low or full',
  content: `${percent}% is used. Delete what you don’t need.`,
});

it('a quota raises an alarm at 80 % and when full, and a full store refuses uploads [STORE-06]', async () => {
  const own = newActor();
  const other = newActor();
  expect(await resource.as(own)(getStorage)).toEqual({
    used: 0,
    quota: 10 * megabyte,
    state: 'enough',
    downloadMbit: null,
  });
  const first = await stored(own, 5 * megabyte);
  await stored(own, 2 * megabyte);
  expect(await used(own)).toBe(7);
  await stored(own, megabyte);
  await eventually(async () => expect(await alarms(own)).toEqual([alarm('medium', 80)]));
  expect((await resource.as(own)(getStorage)).state).toBe('low');
  // Only one alarm is raised, however many files follow below the limit.
  await stored(own, megabyte / 2);
  await stored(own, megabyte / 2);
  // Uploads in progress count, so this one takes the last room.
  const last = await begin(own, megabyte);
  expect([last.status, await used(own)]).toEqual([201, 10]);
  await eventually(async () => expect(await alarms(own)).toEqual([alarm('medium', 80), alarm('high', 100)]));
  const quotaFull = {
    en_US: 'There is not enough storage: 10 MB of 10 MB is used. Delete files you don’t need.',
    zh_CN: '存储空间不足：已使用 10 MB，共 10 MB。请删除不需要的文件。',
    ko: '저장 공간이 부족합니다. 10 MB 중 10 MB을(를) 사용하고 있습니다. 필요 없는 파일을 삭제하세요.',
    pt_BR: 'Não há armazenamento suficiente: 10 MB de 10 MB em uso. Exclua arquivos desnecessários.',
  };
  for (const language of languages)
    expect(await begin(own, 1, language)).toMatchObject({
      status: 413,
      error: 'upload.quotaFull',
      msg: quotaFull[language],
    });
  expect(await resource.as(own)(getStorage)).toMatchObject({ used: 10 * megabyte, state: 'full' });
  // Another company has its own quota and gets no alarm.
  await stored(other, megabyte);
  expect([await used(other), await alarms(other)]).toEqual([1, []]);
  expect(await alarms(own)).toHaveLength(2);

  // Deleting frees room once it cannot be undone; then both alarms can occur again.
  await resource.as(own)(deleteResourceFile, { query: { id: first } });
  await tus(own, 'DELETE', last.at, {});
  await platform(resource.database, 'let time pass', async () => {
    await currentSql().query(`update deleted set deleted_at = deleted_at - interval '1 day'`);
    await currentSql().query(`update stored_file set used_at = used_at - interval '2 hours'`);
  });
  await resource.app.get(DeletedRetention, { strict: false }).forget();
  await eventually(async () => expect(await used(own)).toBe(4));
  await stored(own, 4 * megabyte);
  await eventually(async () => expect(await alarms(own)).toHaveLength(3));
  // A refused upload also raises the alarm, with the current use.
  expect(await begin(own, 3 * megabyte)).toMatchObject({ status: 413, error: 'upload.quotaFull' });
  await eventually(async () => expect((await alarms(own)).slice(2)).toEqual([alarm('medium', 80), alarm('high', 80)]));
  expect(await begin(own, 3 * megabyte)).toMatchObject({ status: 413 });
  // The upload and the refusal raise no further alarm.
  await stored(own, megabyte);
  expect((await begin(own, 2 * megabyte)).status).toBe(413);
  expect(await alarms(own)).toHaveLength(4);
});

it('two parallel uploads cannot both take the last room', async () => {
  const own = newActor();
  const people = Array.from({ length: 8 }, () => ({ ...newActor(), companyId: own.companyId }));
  const begun = await Promise.all(people.map((one) => begin(one, 3 * megabyte)));
  expect(begun.filter(({ status }) => status === 201)).toHaveLength(3);
  expect(begun.filter(({ error }) => error === 'upload.quotaFull')).toHaveLength(5);
  expect(await used(own)).toBe(9);
  await eventually(async () => expect((await alarms(own)).filter(({ level }) => level === 'high')).toHaveLength(1));
});

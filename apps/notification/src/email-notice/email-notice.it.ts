import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  addEmailNotice,
  alarmKinds,
  deleteEmailNotice,
  editEmailNotice,
  getEmailNotice,
  listEmailNotices,
  listOperationLog,
  mailGroup,
  message,
  orgOrganization,
  restoreEmailNotices,
  type EventData,
  type RouteCall,
} from '@carillon/contracts';
import { envelope, toRecord } from '@carillon/messaging';
import { companySession, currentSql, transaction, uuidv7 } from '@carillon/persistence';
import { runAs, systemContext } from '@carillon/tenancy';
import { eventually, startMailServer, type Actor, type MailServer } from '@carillon/testing';
import { alarmRig, type AlarmRig } from '../alarm/alarm-test.ts';
import { noticesDue } from './email-notice.queries.ts';

let rig: AlarmRig;
let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
  rig = await alarmRig({ ...server.settings, emailNoticeGatherMs: 50, emailNoticePauseMs: 50, mailRetryMs: 20 });
});
afterEach(async () => {
  server.refuse(undefined);
  await rig.sql('delete from email_notice');
});
afterAll(async () => {
  await rig?.close();
  await server?.close();
});

type Body = RouteCall<typeof addEmailNotice>['body'];
const notice = (given: Partial<Body> = {}): Body => ({
  title: 'Night watch',
  emails: ['night@example.com'],
  roleIds: [],
  userIds: [],
  sendType: 'immediate',
  time: null,
  zone: null,
  kinds: [],
  level: 'low',
  enabled: true,
  ...given,
});
const add = (given: Partial<Body> = {}, as: Actor = rig.actor) =>
  rig.service.as(as)(addEmailNotice, { body: notice(given) });
/** Creates devices of a new site that go offline. */
const away = async (name: string, count = 1, orgId = rig.actor.orgId) => {
  const siteId = await rig.site(name);
  const devices = await rig.devices(count, { siteId, orgId, name: `${name} phone` });
  await rig.session(devices, 'online');
  await rig.session(devices, 'offline');
  return devices;
};
const dueTimes = async () =>
  (await rig.sql<{ next_at: string | null }>('select next_at from email_notice')).map((n) => n.next_at);
const mailsTo = (to: string) => server.mails.filter((m) => m.to.includes(to));

test('an immediate notice mails each alarm group once, despite flapping [NOTE-03/immediate]', async () => {
  const { id } = await add({ emails: ['night@example.com', 'day@example.com'] });
  const devices = await away('Kiel', 3);
  const [night, day] = [await server.next('night@example.com'), await server.next('day@example.com')];
  for (const mail of [night, day]) {
    expect(mail).toMatchObject({ subject: 'Alarms: Night watch', secure: true });
    for (const text of [mail.text, mail.html]) {
      expect(text).toContain('Site Kiel');
      expect(text).not.toMatch(/\{\w+\}|undefined|null/);
    }
  }
  expect((await rig.call(getEmailNotice, { params: { id } })).sentAt).not.toBeNull();
  for (let n = 0; n < 3; n++) {
    await rig.session(devices, 'online');
    await rig.session(devices, 'offline');
  }
  await away('Bonn');
  const second = await server.next('night@example.com');
  expect(second.text).toContain('Medium · Device offline · Bonn phone is offline. · Site Bonn');
  expect(second.text).not.toContain('Kiel');
});

test('a notice covers only its kinds, its minimum level and its organization', async () => {
  const north = uuidv7();
  await rig.bus.publish([
    toRecord(
      orgOrganization,
      north,
      {
        id: north,
        companyId: rig.actor.companyId,
        name: 'North',
        description: '',
        updatedAt: new Date().toISOString(),
      },
      envelope('organization', { companyId: rig.actor.companyId, version: 1 }),
    ),
  ]);
  await eventually(async () => {
    expect((await add({ title: 'North', emails: ['north@example.com'], orgId: north })).organization).toEqual({
      id: north,
      name: 'North',
    });
  });
  await add({ title: 'High', emails: ['high@example.com'], level: 'high' });
  await add({ title: 'Tasks', emails: ['task@example.com'], kinds: [alarmKinds.taskFailed] });
  await add({ title: 'Off', emails: ['off@example.com'], enabled: false });
  await away('South');
  await away('Norden', 1, north);
  const about: EventData<typeof message, 'message'> = {
    type: alarmKinds.taskFailed,
    level: 'high',
    objectId: uuidv7(),
    objectName: 'Reboot {all}',
    orgId: null,
    expiresAt: null,
    values: { count: 2, total: 9 },
  };
  await rig.bus.publish([
    toRecord(message, rig.actor.companyId, about, envelope('message', { companyId: rig.actor.companyId })),
  ]);
  const failed = 'High · Task failed · Task Reboot {all}: 2 of 9 devices did not finish it.';
  const seen = (to: string) => mailsTo(`${to}@example.com`).map((m) => m.text);
  // Messages without an organization reach all.
  await eventually(() => {
    expect(seen('north').join('\n')).toContain('Norden phone');
    expect(seen('north').join('\n')).toContain(failed);
  });
  expect((await server.next('high@example.com')).text).toContain(failed);
  expect((await server.next('task@example.com')).text).toContain(failed);
  for (const to of ['north', 'high', 'task']) expect(seen(to).join('\n')).not.toContain('South');
  for (const to of ['high', 'task']) expect(seen(to).join('\n')).not.toContain('Norden');
  expect(mailsTo('off@example.com')).toEqual([]);
});

test('an event that is committed while its notice is sent is mailed as well', async () => {
  await add({ emails: ['late@example.com'], kinds: [alarmKinds.taskFailed] });
  const about = (objectName: string): EventData<typeof message, 'message'> => ({
    ...{ type: alarmKinds.taskFailed, level: 'high', objectId: uuidv7(), objectName },
    ...{ orgId: null, expiresAt: null, values: { count: 1, total: 1 } },
  });
  const { companyId } = rig.actor;
  await rig.bus.publish([toRecord(message, companyId, about('First'), envelope('message', { companyId }))]);
  expect((await server.next('late@example.com')).text).toContain('First');
  await eventually(async () => expect((await dueTimes())[0]).toBeNull());
  // Another event, which is committed already, makes the notice due.
  await rig.sql(`update email_notice set next_at = now() + interval '200 milliseconds'`);
  const [written, isTried] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const event = runAs(systemContext(companyId), () =>
    transaction(rig.service.database, companySession(companyId), async () => {
      await currentSql().query(
        `
          insert into message
          select r.*
          from message m, jsonb_populate_record(
            m, jsonb_build_object('id', gen_random_uuid(), 'created_at', now(), 'object_name', 'Second')
          ) r
          where m.object_name = 'First'
        `,
        [],
      );
      await noticesDue([{ kind: alarmKinds.taskFailed, level: 'high', orgId: null }], { gatherMs: 0, pauseMs: 0 });
      written.resolve();
      await isTried.promise;
    }),
  );
  await written.promise;
  // The sender waits for the transaction, or is through.
  await eventually(async () => {
    const [waiting] = await rig.sql<{ n: number }>('select count(*)::int as n from pg_locks where not granted');
    expect(waiting!.n > 0 || (await dueTimes())[0] === null).toBe(true);
  });
  isTried.resolve();
  await event;
  expect((await server.next('late@example.com')).text).toContain('Second');
});

test('a timed notice sends everything new at its time of day in its zone, every day [NOTE-03]', async () => {
  const { id } = await add({
    emails: ['morning@example.com'],
    sendType: 'timed',
    time: '08:00',
    zone: 'Asia/Seoul',
  });
  const next = async () =>
    (
      await rig.sql<{ at: string; away: number }>(
        `
          select to_char(next_at at time zone 'Asia/Seoul', 'HH24:MI') as at,
            extract(epoch from next_at - now())::float8 as away
          from email_notice
          where id = $1
        `,
        [id],
      )
    )[0]!;
  const first = await next();
  expect(first.at).toBe('08:00');
  expect(first.away).toBeGreaterThan(0);
  expect(first.away).toBeLessThanOrEqual(86_400);
  // A notice without a time sends the same alarms when they are gathered; the timed one has waited then.
  await add({ emails: ['at-once@example.com'] });
  await away('Busan');
  await server.next('at-once@example.com');
  await away('Daegu');
  expect((await server.next('at-once@example.com')).text).toContain('Daegu');
  expect(mailsTo('morning@example.com')).toEqual([]);
  await rig.sql('update email_notice set next_at = now() where id = $1', [id]);
  const mail = await server.next('morning@example.com');
  expect(mail.text).toContain('Busan');
  expect(mail.text).toContain('Daegu');
  await eventually(async () => {
    expect(await next()).toMatchObject({ at: '08:00' });
    expect((await next()).away).toBeGreaterThan(0);
  });
  await expect(add({ sendType: 'timed', time: '08:00', zone: 'Mars/Olympus' })).rejects.toMatchObject({
    error: 'emailNotice.zoneUnknown',
  });
  await expect(add({ sendType: 'timed', time: null, zone: null })).rejects.toMatchObject({
    error: 'emailNotice.timeMissing',
  });
});

test('a temporarily refused mail is retried, and a permanently refused one is logged [NOTE-03/retried]', async () => {
  await add({ emails: ['retry@example.com'] });
  server.refuse(451);
  const before = server.tries();
  await away('Jena');
  await eventually(() => {
    expect(server.tries()).toBeGreaterThan(before + 2);
  });
  expect(mailsTo('retry@example.com')).toEqual([]);
  server.refuse(undefined);
  expect((await server.next('retry@example.com')).text).toContain('Jena');
  server.refuse(550);
  await away('Ulm');
  await eventually(async () => {
    const { records } = await rig.call(listOperationLog, { query: { result: ['mail.sendFailure'] } });
    expect(records[0]).toMatchObject({ action: 'mail.send', objectName: 'retry@example.com' });
  });
});

test('a notice to a group names roles, users and organization, and auth finds the emails [NOTE-03/group]', async () => {
  const asked: EventData<typeof mailGroup>[] = [];
  const feed = await rig.bus.fanout({
    topics: [mailGroup.name],
    from: 'end',
    handle: ({ records }) => {
      asked.push(...records.map((r) => JSON.parse(r.value!) as EventData<typeof mailGroup>));
    },
  });
  const [role, user] = [uuidv7(), uuidv7()];
  await add({ emails: [], roleIds: [role], userIds: [user] });
  await away('Trier');
  await eventually(() => {
    expect(asked).toHaveLength(1);
  });
  expect(asked[0]).toMatchObject({
    roleIds: [role],
    userIds: [user],
    orgId: null,
    data: { title: 'Night watch', more: 0 },
  });
  await feed.close();
  await expect(add({ emails: [] })).rejects.toMatchObject({ error: 'emailNotice.nobody' });
});

test('one mailbox gets 60 mails of notices an hour; a notice over it waits, and others are sent', async () => {
  const tagged = Array.from({ length: 20 }, (_, n) => `flood+${n}@example.com`);
  const { id } = await add({ title: 'Flood', emails: tagged });
  for (let n = 1; n <= 3; n++) {
    await away(`Flood ${n}`);
    await eventually(() => expect(server.mails.filter((m) => m.to[0]!.startsWith('flood+'))).toHaveLength(20 * n));
  }
  await add({ title: 'Beside', emails: ['beside@example.com'] });
  await away('Flood 4');
  expect((await server.next('beside@example.com')).text).toContain('Flood 4');
  await eventually(async () => {
    const waiting = `select id from email_notice where id = $1 and next_at > now() + interval '4 minutes'`;
    expect(await rig.sql(waiting, [id])).toHaveLength(1);
  });
  expect(server.mails.filter((m) => m.to[0]!.startsWith('flood+'))).toHaveLength(60);
});

test('only users who see its organization list, change, delete and restore a notice', async () => {
  const own = await add({ title: 'Whole company' });
  const anna: Actor = { ...rig.actor, userId: uuidv7(), orgIds: [rig.actor.orgId] };
  const other: Actor = { ...rig.actor, userId: uuidv7(), companyId: uuidv7() };
  const titles = async (as: Actor) =>
    (await rig.service.as(as)(listEmailNotices, { query: {} })).records.map((n) => n.title);
  await add({ title: 'Of Anna' }, anna);
  expect(await titles(rig.actor)).toEqual(['Of Anna', 'Whole company']);
  expect(await titles(anna)).toEqual(['Of Anna']);
  expect(await titles(other)).toEqual([]);
  for (const as of [anna, other]) {
    await expect(rig.service.as(as)(deleteEmailNotice, { query: { id: own.id } })).rejects.toMatchObject({
      error: 'common.notFound',
    });
    await expect(rig.service.as(as)(editEmailNotice, { body: { id: own.id, ...notice() } })).rejects.toMatchObject({
      error: 'common.notFound',
    });
  }
  await rig.call(editEmailNotice, { body: { id: own.id, ...notice({ title: 'Everybody', level: 'high' }) } });
  expect((await rig.call(listEmailNotices, { query: { level: 'high' } })).records.map((n) => n.title)).toEqual([
    'Everybody',
  ]);
  await rig.call(deleteEmailNotice, { query: { id: own.id } });
  expect(await titles(rig.actor)).toEqual(['Of Anna']);
  expect(await rig.call(restoreEmailNotices, { body: { ids: [own.id] } })).toEqual({ restored: 1 });
  expect(await titles(rig.actor)).toEqual(['Everybody', 'Of Anna']);
});

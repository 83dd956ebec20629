import { afterAll, beforeAll, expect, test } from 'vitest';
import { addEmailNotice, alarmKinds } from '@carillon/contracts';
import { eventually, startMailServer, type MailServer } from '@carillon/testing';
import { alarmRig, type AlarmRig } from './alarm-test.ts';

const many = 10_000;
let rig: AlarmRig;
let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
  rig = await alarmRig({ ...server.settings, alarmOfflineGraceMs: 1_000, emailNoticeGatherMs: 50 });
});
afterAll(async () => {
  await rig?.close();
  await server?.close();
});

test('10,000 offline devices of a site are one alarm group, one notice and one mail per address [NOTE-04]', async () => {
  const siteId = await rig.site('Arena');
  await rig.call(addEmailNotice, {
    body: {
      title: 'Night watch',
      emails: ['night@example.com', 'day@example.com'],
      roleIds: [],
      userIds: [],
      sendType: 'immediate',
      time: null,
      zone: null,
      kinds: [],
      level: 'low',
      enabled: true,
    },
  });
  const devices = await rig.devices(many, { siteId });
  await rig.session(devices, 'online');
  await eventually(async () => {
    expect(await rig.sql('select count(*)::int as n from link_session where online')).toEqual([{ n: many }]);
  });
  await rig.session(devices, 'offline');
  await eventually(async () => {
    expect((await rig.lines()).map((l) => l.open)).toEqual([many]);
  }, 60_000);
  expect(await rig.lines()).toEqual([
    expect.objectContaining({
      type: alarmKinds.offline,
      causeName: 'Arena',
      devices: many,
      count: many,
      state: 'open',
      content: '10000 devices are offline.',
    }),
  ]);
  expect(await rig.notices()).toEqual([{ type: alarmKinds.offline, total: 1 }]);
  await rig.session(devices, 'online');
  await eventually(async () => {
    expect((await rig.lines()).map((l) => [l.state, l.open])).toEqual([['ended', 0]]);
  }, 60_000);
  for (const to of ['night@example.com', 'day@example.com'])
    expect((await server.next(to)).text).toMatch(/[0-9]+ devices are offline\. · Site Arena/);
  // Further equal alarms are quiet for an hour: after its pause the notice finds nothing new.
  await rig.sql('update email_notice set next_at = now()');
  await eventually(async () => {
    expect(await rig.sql(`select 1 from email_notice where next_at < now() + interval '30 minutes'`)).toEqual([]);
  });
  expect(await rig.sql(`select 1 from mail where status = 'waiting'`)).toEqual([]);
  expect(server.mails).toHaveLength(2);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { alarmKinds } from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { alarmRig, type AlarmRig } from './alarm-test.ts';

const many = 10_000;
let rig: AlarmRig;
beforeAll(async () => {
  rig = await alarmRig({ alarmOfflineGraceMs: 1_000 });
});
afterAll(async () => {
  await rig?.close();
});

test('10,000 devices of a site that go away at once are one line with their count within seconds, and one notice; it ends when they are back [NOTE-04/line]', async () => {
  const siteId = await rig.site('Arena');
  const of = await rig.devices(many, { siteId });
  await rig.session(of, 'online');
  await eventually(async () => {
    expect(await rig.sql('select count(*)::int as n from link_session where online')).toEqual([{ n: many }]);
  });
  const before = performance.now();
  await rig.session(of, 'offline');
  await eventually(async () => {
    expect((await rig.lines()).map((l) => l.open)).toEqual([many]);
  }, 60_000);
  expect(performance.now() - before).toBeLessThan(10_000);
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
  await rig.session(of, 'online');
  await eventually(async () => {
    expect((await rig.lines()).map((l) => [l.state, l.open])).toEqual([['ended', 0]]);
  }, 60_000);
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '@carillon/testing';
import { taskRig, type TaskRig } from '../task-test.ts';

let rig: TaskRig;
beforeAll(async () => {
  rig = await taskRig({ taskTickMs: 3_600_000, taskChunk: 20, taskSendBatch: 1 });
});
afterAll(() => rig?.close());

it('sends a small task while a large one is still being sent', async () => {
  const large = await rig.devices(150);
  const [small] = await rig.devices(1);
  await Promise.all([...large, small!].map((d) => d.online()));
  await eventually(async () =>
    expect(await rig.sql('select count(*)::int as n from link_session where online')).toEqual([{ n: 151 }]),
  );
  const id = await rig.order(large);
  await rig.command(large[0]!);
  await rig.order([small!]);
  await rig.command(small!);
  const before = rig.commands.findIndex((c) => c.deviceId === small!.identity.deviceId);
  await eventually(async () => expect(await rig.counts(id)).toMatchObject({ process: 150, wait: 0 }));
  await eventually(() => expect(rig.commands).toHaveLength(151));
  expect(before).toBeLessThan(140);
});

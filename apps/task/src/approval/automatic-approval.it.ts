import { describe, expect, it } from 'vitest';
import { addBaseline, cancelTask, retryBaseline, rollbackTask, stopTask } from '@carillon/contracts';
import { eventually } from '@carillon/testing';
import { firmwareOf, publishFirmware } from '../file/firmware-test.ts';
import { startApprovals } from './approval-test.ts';

const { rig, known, rule, next, phones, order, load, approve, refuse, commandsOf, dueNow, looked } =
  await startApprovals();

describe('tasks that no user created', () => {
  const firmware = (model: string, version: string) => publishFirmware(rig, firmwareOf({ version, models: [model] }));
  const upgrades = { capabilities: ['firmwareUpgrade'] };

  it('a baseline asks once per version, and after a refusal again on a retry [TASK-08/approval]', async () => {
    const { of, model } = await phones(2, { ...upgrades, firmware: '1.0' });
    await rule(2, ['firmwareUpgrade']);
    const firmwareId = await firmware(model, '2.0');
    const { id } = await rig.call(addBaseline, {
      body: {
        name: `Baseline ${next()}`,
        firmwareId,
        model,
        siteId: null,
        groupId: null,
        active: true,
        from: null,
        to: null,
        timeZone: null,
      },
    });
    const tasks = () => rig.sql<{ id: string }>('select id from task where baseline_id = $1 order by number', [id]);
    const lookedAt = async () =>
      (await rig.sql<{ at: string }>('select look_at::text as at from baseline where id = $1', [id]))[0]!.at;
    const lookedTwice = async () => {
      for (let n = 0; n < 2; n++) {
        const before = await lookedAt();
        await eventually(async () => expect(await lookedAt()).not.toBe(before));
      }
    };
    await eventually(async () => expect(await tasks()).toHaveLength(1));
    await lookedTwice();
    const [first] = await tasks();
    expect(await tasks()).toHaveLength(1);
    expect(await load(first!.id)).toMatchObject({ runs: 0, approval: { state: 'asked', devices: 2 } });
    await refuse(first!.id);
    await lookedTwice();
    expect(await tasks()).toHaveLength(1);
    expect(commandsOf(of)).toEqual([]);

    await rig.call(retryBaseline, { params: { id } });
    await eventually(async () => expect(await tasks()).toHaveLength(2));
    const second = (await tasks())[1]!;
    // Its window is over meanwhile: it begins with the next one, and ends with that.
    const clock = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
    await rig.sql(`update baseline set from_local = $2, to_local = $3, time_zone = 'Etc/UTC' where id = $1`, [
      id,
      clock(2),
      clock(4),
    ]);
    const approved = await approve(second.id, 2);
    expect(approved.dueAt!.slice(11, 16)).toBe(clock(2));
    expect(approved.durationMinutes).toBe(120);
    await looked();
    expect(commandsOf(of)).toEqual([]);
    await dueNow(second.id);
    await eventually(() => expect(commandsOf(of)).toHaveLength(2));
    await rig.call(stopTask, { params: { id: second.id } });
    await rig.sql('update baseline set active = false where id = $1', [id]);
  });

  it('a manual rollback waits for approval; one that the approved task contains begins [TASK-08/approval]', async () => {
    const { of, model } = await phones(4, { ...upgrades, firmware: '1.0' });
    const [old, fresh] = [await firmware(model, '1.0'), await firmware(model, '2.0')];
    await rule(2, ['firmwareUpgrade']);
    const { id } = await order(
      { filter: { model: [model] } },
      {
        name: 'Upgrade',
        action: 'firmwareUpgrade',
        params: { firmwareId: fresh },
        rollout: { stages: [75, 100], pauseAt: 30, rollback: true },
      },
    );
    await approve(id, 4);
    const rows = () =>
      rig.sql<{ command: string; device: string }>(
        `select command_id as command, device_id as device from task_device where task_id = $1 and status = 'process'`,
        [id],
      );
    await eventually(async () => expect(await rows()).toHaveLength(3));
    const answer = await rows();
    const backTasks = () =>
      rig.sql<{ id: string; approval: object | null }>(
        `select id, approval from task where target -> 'rollback' ->> 'taskId' = $1 order by number`,
        [id],
      );
    for (const [n, { command, device }] of answer.entries()) {
      const phone = known.get(device)!;
      await phone.say({ id: command, status: 'accepted' });
      if (n === 2) {
        await phone.say({ id: command, status: 'fail', code: 'download' });
        continue;
      }
      await phone.say({ id: command, status: 'downloaded' });
      await phone.back({ boot: 'upgrade', firmware: '2.0' });
      await rig.publishDevice(phone, { firmware: '2.0' });
    }
    // Two devices go back, which needs approval, but it was approved with the task.
    await eventually(async () => expect(await backTasks()).toMatchObject([{ approval: null }]));
    const [byItself] = await backTasks();
    await eventually(async () => expect(await rig.counts(byItself!.id)).toMatchObject({ process: 2 }));
    await rig.call(stopTask, { params: { id: byItself!.id } });
    await rig.call(stopTask, { params: { id } });

    const before = rig.commands.length;
    const { tasks } = await rig.call(rollbackTask, { params: { id }, body: { only: 'all' } });
    expect(tasks).toMatchObject([{ status: 'wait', runs: 0, approval: { state: 'asked', devices: 2 } }]);
    expect(tasks[0]!.params).toMatchObject({ firmwareId: old });
    await looked();
    expect(rig.commands.slice(before).filter((c) => of.some((d) => d.identity.deviceId === c.deviceId))).toEqual([]);
    await rig.call(cancelTask, { params: { id: tasks[0]!.id } });
  });
});

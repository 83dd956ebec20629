import { expect, it } from 'vitest';
import { addTask, listTasks, rerunTask } from '@carillon/contracts';
import { newActor } from '@carillon/testing';
import { taskRig } from '../task-test.ts';

it('a company begins a limited number of tasks in a minute, runs included, and another one is unaffected', async () => {
  const rig = await taskRig({ tasksPerMinute: 3 });
  const stranger = newActor();
  try {
    await rig.devices(1);
    await rig.devices(1, {}, stranger);
    const order = (as = rig.actor) =>
      rig.service.as(as)(addTask, {
        body: { name: 'Locate', action: 'locate', params: { seconds: 5 }, target: { filter: {} } },
      });
    const error = (call: Promise<unknown>) =>
      call.then(
        () => 'none',
        (failure: { error: string }) => failure.error,
      );
    const { id } = await order();
    const colleague = { ...newActor(), companyId: rig.actor.companyId };
    expect(await error(order(colleague))).toBe('none');
    expect(await error(order())).toBe('none');
    expect(await error(order())).toBe('common.tooMany');
    expect(await error(order(colleague))).toBe('common.tooMany');
    await rig.sql(`update task set status = 'success', ended_at = now() where id = $1`, [id]);
    expect(await error(rig.call(rerunTask, { params: { id }, body: { only: 'all' } }))).toBe('common.tooMany');
    expect((await rig.call(listTasks, { query: {} })).total).toBe(3);
    expect(await error(order(stranger))).toBe('none');
  } finally {
    await rig.close();
  }
});

import { Injectable } from '@nestjs/common';
import type { ErrorKey, TaskRecord } from '@carillon/contracts';
import { afterCommit, column, columns, computed, currentSql, wholly } from '@carillon/persistence';
import { auditNote, emitLive, fail } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { DispatchService } from '../dispatch/dispatch.service.ts';
import { releaseFiles } from '../file/file.publisher.ts';
import { closeRun } from '../run/run.ts';
import { publishEnded } from './task-device.publisher.ts';
import { Task, TaskDevice } from './task.entity.ts';
import { sharedBy, taskById } from './task.queries.ts';
import { inFlight, next, statesOf, taskDeviceStates, taskStates } from './task.states.ts';
import { addSums, moves, type OrgSums } from './task.sums.ts';

const endedDevices = columns(TaskDevice, 'ended', ['orgId'], {
  count: computed<number>('count(*)::int'),
});
const seenDevice = columns(TaskDevice, 'td', ['deviceId']);
const reportedDevice = columns(TaskDevice, 'td', ['deviceId', 'orgId', 'name', 'mac'], {
  was: column(TaskDevice, 'old', 'status'),
});
const endedTask = columns(Task, 't', ['baselineId', 'runs']);

/** Ends tasks, and the part of single devices in them (TASK-03, TASK-04). */
@Injectable()
export class TaskEndService {
  constructor(private readonly dispatch: DispatchService) {}

  /**
   * Stops a task: running devices finish, waiting ones are cancelled. Cancelling does the same while nothing was sent.
   * Requires a user who sees all of it or ordered it.
   */
  async end(id: string, event: 'stop' | 'cancel'): Promise<TaskRecord> {
    const before = await taskById(id);
    auditNote({ objectId: id, objectName: before.name, detail: { number: before.number, before: before.status } });
    auditNote(await sharedBy(id));
    if (!before.whole && before.creatorId !== context().userId) fail('task.partlySeen');
    await this.endWhole(id, event, event === 'cancel' && !before.endedAt ? 'task.notCancellable' : 'task.notStoppable');
    return taskById(id);
  }

  /**
   * Ends a task completely, including devices that the user does not see: otherwise half of it would continue under a
   * final status.
   */
  async endWhole(id: string, event: 'stop' | 'cancel', refusal: ErrorKey): Promise<void> {
    const { companyId } = context();
    await wholly(async () => {
      // Locks devices before their task, as everywhere: otherwise this and a sending would wait for each other.
      const waiting = await this.cancelWaiting(id);
      const ended = await currentSql().rows(
        endedTask,
        `
        update task t
        set status = $2, ended_at = now(), expanded = true, due_at = null, window_ends_at = null,
          paused_at = null, paused_for = null
        where id = $1
          and status = any($3::text[]) ${event === 'cancel' ? 'and (process + success + fail + timeout = 0 or ended_at is not null)' : ''}
        returning ${endedTask}
      `,
        [id, next(taskStates, 'wait', event), statesOf(taskStates, event)],
      );
      if (ended.length === 0) fail(refusal);
      // Once more, for rows that an expansion added before the task was locked.
      for (const sums of [waiting, await this.cancelWaiting(id)]) await addSums(id, sums);
      await closeRun(id, next(taskStates, 'wait', event));
      await releaseFiles(companyId, id);
      const sharing = await sharedBy(id);
      auditNote(sharing);
      await emitLive(companyId, 'task', [id], sharing.orgIds ?? null);
      // The requesting baseline shows that approval is no longer possible.
      for (const { baselineId, runs } of ended)
        if (baselineId !== null && runs === 0) await emitLive(companyId, 'baseline', [baselineId], null);
    });
  }

  /**
   * Reports devices as done by hand, if they wait or no longer report: nothing more is sent to them, and later answers
   * are ignored. Requires a user who may end the task.
   */
  async report(id: string, deviceIds: readonly string[]): Promise<{ reported: number }> {
    const task = await taskById(id);
    auditNote({ objectId: id, objectName: task.name, detail: { number: task.number } });
    const { companyId, userId, username } = context();
    const sharing = await sharedBy(id);
    auditNote(sharing);
    if (!task.whole && task.creatorId !== userId) fail('task.partlySeen');
    const seen = await currentSql().rows(
      seenDevice,
      `
        select ${seenDevice}
        from task_device td
        where td.task_id = $1 and td.run = $2 and td.device_id = any($3::uuid[])
      `,
      [id, task.runs, deviceIds],
    );
    let reported = 0;
    // Locks devices before their task, as everywhere.
    await wholly(async () => {
      const rows = await currentSql().rows(
        reportedDevice,
        `
          with old as (
            select task_id, run, device_id, status
            from task_device
            where task_id = $1 and run = $2 and device_id = any($3::uuid[]) and status = any($6::text[])
            order by device_id
            for update
          )
          update task_device td
          set status = $4, code = 'byHand', code_values = $5, message = null, not_before = null, deadline_at = null,
            ended_at = now(), updated_at = now()
          from old
          where td.task_id = old.task_id and td.run = old.run and td.device_id = old.device_id
          returning ${reportedDevice}
        `,
        [
          id,
          task.runs,
          seen.map(({ deviceId }) => deviceId),
          next(taskDeviceStates, 'wait', 'report'),
          JSON.stringify({ name: username }),
          statesOf(taskDeviceStates, 'report'),
        ],
      );
      if (rows.length === 0) fail('task.deviceNotWaiting');
      reported = rows.length;
      await addSums(id, moves(rows.map(({ orgId, was }) => ({ orgId, from: was, to: 'operated' }))));
      await publishEnded(rows.map(({ deviceId }) => ({ taskId: id, deviceId })));
      await emitLive(companyId, 'task', [id], sharing.orgIds ?? null);
      auditNote({
        detail: {
          number: task.number,
          ...(rows.length === 1 ? { device: `${rows[0]!.name} (${rows[0]!.mac})` } : { devices: rows.length }),
        },
      });
      const freed = rows.filter(({ was }) => inFlight.includes(was)).map(({ deviceId }) => deviceId);
      if (freed.length === 0) return;
      afterCommit(() => {
        this.dispatch.goOn(companyId, [id]);
        this.dispatch.sendTo(companyId, freed);
      });
    });
    return { reported };
  }

  /** Cancels waiting rows. They were never sent, so there is nothing to withdraw from a gateway. */
  private async cancelWaiting(id: string): Promise<OrgSums> {
    const rows = await currentSql().rows(
      endedDevices,
      `
        with ended as (
          update task_device
          set status = 'cancel', not_before = null, ended_at = now(), updated_at = now()
          where task_id = $1 and status = any($2::text[])
          returning org_id
        )
        select ${endedDevices}
        from ended
        group by org_id
      `,
      [id, statesOf(taskDeviceStates, 'cancel')],
    );
    return new Map(rows.map((r) => [r.orgId, { wait: -r.count, cancel: r.count }]));
  }
}

import { Injectable } from '@nestjs/common';
import { actions } from '@carillon/actions';
import type { RouteInput, addTask } from '@carillon/contracts';
import { currentTraceparent, createLogger } from '@carillon/observability';
import { afterCommit, columns, computed, currentSql, uuidv7 } from '@carillon/persistence';
import { auditNote, emitLive, Failure, fail, found } from '@carillon/service';
import { can, context } from '@carillon/tenancy';
import { DispatchService } from '../dispatch/dispatch.service.ts';
import { DeviceCopy } from '../projections/device-copy.entity.ts';
import { Task, TaskDevice, TaskOrganization } from './task.entity.ts';
import { addSums, type OrgSums } from './task.sums.ts';
import { next, statesOf, taskDeviceStates, taskStates } from './task.states.ts';
import { taskById } from './task.queries.ts';

const log = createLogger('task');

const count = computed<number>('count(*)::int');
const devicesOf = columns(DeviceCopy, 'd', ['orgId'], { count });
const endedDevices = columns(TaskDevice, 'ended', ['orgId'], { count });
const addedTask = columns(Task, 'task', ['number']);
const shared = columns(TaskOrganization, 'o', ['orgId']);

@Injectable()
export class TaskService {
  constructor(private readonly dispatch: DispatchService) {}

  /** Stores the order and answers; its devices get their rows in the next transaction. */
  async add(body: RouteInput<typeof addTask>['body']) {
    const action = found(Object.hasOwn(actions, body.action) ? actions[body.action] : undefined, 'task.paramsInvalid');
    if (!can(action.right)) fail('common.forbidden', { permission: action.right });
    const params = action.params.safeParse(body.params);
    if (!params.success)
      throw new Failure(
        'task.paramsInvalid',
        {},
        params.error.issues.map((i) => ({
          path: ['params', ...i.path.map(String)].join('.'),
          error: 'common.fieldValue' as const,
        })),
      );
    const who = context();
    const ids = 'ids' in body.target ? [...new Set(body.target.ids.map((id) => id.toLowerCase()))] : null;
    if (ids) {
      const rows = await currentSql().rows(
        devicesOf,
        `select ${devicesOf} from device_copy d where d.id = any($1::uuid[]) group by d.org_id`,
        [ids],
      );
      if (rows.reduce((sum, r) => sum + r.count, 0) !== ids.length) fail('device.pushTargetMissing');
      auditNote({ orgIds: rows.map((r) => r.orgId) });
    } else if (who.orgIds !== '*') auditNote({ orgIds: who.orgIds });
    const id = uuidv7();
    const [added] = await currentSql().rows(
      addedTask,
      `
        with n as (
          insert into task_number as n (company_id, last)
          values ($2, 1)
          on conflict (company_id) do update set last = n.last + 1
          returning last
        )
        insert into task (
          id, company_id, number, name, action, type, status, params, target, access, expanded, total, success,
          fail, timeout, cancel, process, wait, creator_id, creator_name, traceparent, created_at
        )
        select $1, $2, n.last, $3, $4, 'now', 'wait', $5, $6, $7, false, 0, 0, 0, 0, 0, 0, 0, $8, $9, $10, now()
        from n
        returning ${addedTask}
      `,
      [
        id,
        who.companyId,
        body.name,
        body.action,
        JSON.stringify(params.data),
        JSON.stringify(ids ? { ids } : body.target),
        JSON.stringify({ userId: who.userId, username: who.username, orgIds: who.orgIds }),
        who.userId,
        who.username,
        currentTraceparent() ?? null,
      ],
    );
    auditNote({
      objectId: id,
      objectName: body.name,
      detail: {
        action: body.action,
        params: params.data,
        ...(ids ? { devices: ids.length } : { filter: 'filter' in body.target ? body.target.filter : {} }),
        number: added!.number,
      },
    });
    await emitLive(who.companyId, 'task', [id], who.orgIds === '*' ? null : who.orgIds);
    afterCommit(() => {
      log.info({ point: 'created', taskId: id }, 'task created');
      this.dispatch.startTask(who.companyId, id);
    });
    return taskById(id);
  }

  /**
   * Stop: what runs may end, what waits is cancelled. Cancel: the same, while nothing was sent. By who sees all of it
   * or ordered it.
   */
  async end(id: string, event: 'stop' | 'cancel') {
    const before = await taskById(id);
    auditNote({ objectId: id, objectName: before.name, detail: { number: before.number, before: before.status } });
    const { companyId, userId } = context();
    auditNote(await sharedBy(id));
    if (!before.whole && before.creatorId !== userId) fail('task.partlySeen');
    // A task ends whole, also for devices that he who ends it does not see: half of it would go on under a final state.
    const {
      rows: [access],
    } = await currentSql().query<{ was: string }>(`select current_setting('app.org_ids') as was`);
    await currentSql().query(`select set_config('app.org_ids', '*', true)`);
    // Devices first and their task then, as everywhere: the other way round this and a sending would wait for each
    // other.
    const waiting = await this.cancelWaiting(id);
    const { rowCount } = await currentSql().query(
      `
        update task
        set status = $2, ended_at = now(), expanded = true
        where id = $1
          and status = any($3::text[]) ${event === 'cancel' ? 'and process + success + fail + timeout = 0' : ''}
      `,
      [id, next(taskStates, 'wait', event), statesOf(taskStates, event)],
    );
    if (rowCount === 0) fail(event === 'cancel' && !before.endedAt ? 'task.notCancellable' : 'task.notStoppable');
    // Once more, for the rows that an expansion gave it until it was ours.
    for (const sums of [waiting, await this.cancelWaiting(id)]) await addSums(id, sums);
    const sharing = await sharedBy(id);
    auditNote(sharing);
    await emitLive(companyId, 'task', [id], sharing.orgIds ?? null);
    await currentSql().query(`select set_config('app.org_ids', $1, true)`, [access!.was]);
    return taskById(id);
  }

  /** What waits was never sent, so that there is nothing to take back from a gateway. */
  private async cancelWaiting(id: string): Promise<OrgSums> {
    const rows = await currentSql().rows(
      endedDevices,
      `
        with ended as (
          update task_device
          set status = 'cancel', ended_at = now(), updated_at = now()
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

/** The organizations of its devices; while it has none, those of who acts. */
async function sharedBy(id: string): Promise<{ orgIds?: readonly string[] }> {
  const sql = `select ${shared} from task_organization o where o.task_id = $1 order by o.org_id`;
  const rows = await currentSql().rows(shared, sql, [id]);
  if (rows.length > 0) return { orgIds: rows.map((r) => r.orgId) };
  const { orgIds } = context();
  return orgIds === '*' ? {} : { orgIds };
}

import { Injectable } from '@nestjs/common';
import { actions, type Firmware } from '@carillon/actions';
import {
  addTask,
  mostRestored,
  type getTaskRollback,
  type rollbackTask,
  type RouteInput,
  type RouteReturn,
} from '@carillon/contracts';
import { taskNameLength } from '@carillon/contracts/constants';
import { column, columns, computed, currentSql } from '@carillon/persistence';
import { auditNote, fail } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { everyFirmwareSql } from '../file/firmware-copy.entity.ts';
import { isSameVersionSql, isVersionSql } from '../dispatch/version.ts';
import { DeviceCopy } from '../projections/device-copy.entity.ts';
import { TaskDevice } from '../task/task.entity.ts';
import { sharedBy, taskById } from '../task/task.queries.ts';
import { TaskService } from '../task/task.service.ts';

type Scope = RouteInput<typeof rollbackTask>['body']['only'];

const returning = columns(TaskDevice, 'td', [], {
  version: computed<string>('td.version_before'),
  model: column(DeviceCopy, 'd', 'model'),
  now: computed<string | null>('d.firmware'),
  isBroken: computed<boolean>(`not ${isVersionSql('d.firmware')}`),
  count: computed<number>('count(*)::int'),
  file: computed<Pick<Firmware, 'id' | 'name'> | null>(`(
    select jsonb_build_object('id', f.id, 'name', f.file ->> 'name')
    from ${everyFirmwareSql} f
    where ${isSameVersionSql(`(f.file ->> 'version')`, 'td.version_before')} and f.file -> 'models' ? d.model
    order by f.id desc
    limit 1
  )`),
});

/** Rolls devices back to the version that they had when a task changed them (decisions of the fleet, 15). */
@Injectable()
export class RollbackService {
  constructor(private readonly tasks: TaskService) {}

  async preview(id: string, only: Scope): Promise<RouteReturn<typeof getTaskRollback>> {
    const { action, runs } = await taskById(id);
    return { versions: actions[action]?.file === 'firmware' ? await versionsOf(id, runs, only) : [] };
  }

  /** Rolls a task back. `byItself`: the order said so, and its approval covers it. */
  async rollback(id: string, only: Scope, byItself = false): Promise<RouteReturn<typeof rollbackTask>> {
    const task = await taskById(id);
    auditNote({ objectId: id, objectName: task.name, detail: { number: task.number, only } });
    auditNote(await sharedBy(id));
    if (!task.whole && task.creatorId !== context().userId) fail('task.partlySeen');
    const { versions } = await this.preview(id, only);
    // One image may fit several models.
    const images = Map.groupBy(
      versions.filter((v) => v.firmware !== null),
      (v) => v.firmware!.id,
    );
    if (images.size === 0) fail('task.nothingToRollBack');
    const tasks = [];
    for (const [firmwareId, rows] of images) {
      const { version } = rows[0]!;
      const { naming } = task;
      const body = addTask.body.parse({
        action: task.action,
        params: { ...task.params, firmwareId, downgrade: true },
        target: { filter: {} },
      });
      const models = rows.map((v) => v.model);
      tasks.push(
        await this.tasks.addDerived(body, {
          target: { rollback: { taskId: id, run: task.runs, version, models, only } },
          named: naming
            ? { ...naming, restored: [...naming.restored, version].slice(-mostRestored) }
            : `${task.name} → ${version}`.slice(-taskNameLength),
          isApproved: byItself,
        }),
      );
    }
    return { tasks, left: versions.reduce((sum, v) => sum + (v.firmware === null ? v.count : 0), 0) };
  }
}

/** Versions that cannot be compared, named for each version that is restored. */
const mostBroken = 10;

async function versionsOf(
  id: string,
  run: number,
  only: Scope,
): Promise<RouteReturn<typeof getTaskRollback>['versions']> {
  const rows = await currentSql().rows(
    returning,
    `
      select ${returning}
      from task_device td
      join device_copy d on d.id = td.device_id
      where td.task_id = $1
        and td.run = $2
        and td.version_before is not null
        and not ${isSameVersionSql('d.firmware', 'td.version_before')}
        ${only === 'failed' ? `and td.status in ('fail', 'timeout')` : ''}
      group by td.version_before, d.model, d.firmware
      order by count(*) desc, d.firmware
    `,
    [id, run],
  );
  const versions = [...Map.groupBy(rows, ({ version, model }) => JSON.stringify([version, model])).values()];
  return versions
    .map((image) => {
      const { version, model, file } = image[0]!;
      return {
        version,
        model,
        count: image.reduce((sum, { count }) => sum + count, 0),
        broken: image
          .filter(({ isBroken }) => isBroken)
          .slice(0, mostBroken)
          .map(({ now, count }) => ({ version: now, count })),
        firmware: file,
      };
    })
    .sort((a, b) => b.count - a.count || (a.version < b.version ? -1 : 1) || (a.model < b.model ? -1 : 1));
}

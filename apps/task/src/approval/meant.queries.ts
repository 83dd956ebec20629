import { type listMeantDevices, type RouteInput, type RouteReturn, type VersionRange } from '@carillon/contracts';
import { nameOrMacSql } from '@carillon/contracts/device-filter';
import { alphabetic, columns, computed, currentSql, parameters, type RowOf } from '@carillon/persistence';
import { found, readPage } from '@carillon/service';
import { inRangeSql, targetSql, type TaskTarget } from '../dispatch/target.ts';
import { orderedOrgIdsSql } from '../projections/creator.projection.ts';
import { DeviceCopy } from '../projections/device-copy.entity.ts';
import { laterStageSql } from '../rollout/stage.ts';
import { Task } from '../task/task.entity.ts';

interface Aimed {
  target: TaskTarget;
  versionRange: VersionRange | null;
}
/**
 * Restricts a target: to organizations `orgIds` (as in `app.org_ids`), to devices that failed in a run, or to those
 * that a run in stages has or will get.
 */
interface Within {
  orgIds?: string;
  failedIn?: { taskId: string; run: number };
  inStages?: { taskId: string; run: number; stage: number; cuts: readonly number[] | null };
}

const count = computed<number>('count(*)::int');
const meantRow = columns(DeviceCopy, 'd', [], {
  devices: count,
  orgIds: computed<string[]>(`coalesce(jsonb_agg(distinct d.org_id), '[]')`),
});
/** Number of devices that a target has now, and their organizations. */
export type Meant = RowOf<typeof meantRow>;

/** SQL: the devices `d` of a target now, within its version range and visible to the acting user. */
function meantSql(
  { target, versionRange }: Aimed,
  { orgIds = '*', failedIn, inStages }: Within,
  add: (value: unknown) => string,
): string {
  const conditions = [`${inRangeSql(versionRange, add)} is not false`];
  if (orgIds !== '*') conditions.push(`d.org_id = any(string_to_array(${add(orgIds)}, ',')::uuid[])`);
  if (failedIn)
    conditions.push(`
      d.id in (
        select td.device_id
        from task_device td
        where td.task_id = ${add(failedIn.taskId)} and td.run = ${add(failedIn.run)} and td.status in ('fail', 'timeout')
      )
    `);
  if (!inStages) return targetSql(target, add, conditions);
  const { taskId, run, ...staged } = inStages;
  const hasRow = `
    exists (
      select 1
      from task_device td
      where td.task_id = ${add(taskId)} and td.run = ${add(run)} and td.device_id = d.id
    )
  `;
  conditions.push(`not ${hasRow}`, laterStageSql(taskId, run, staged, add));
  return `${targetSql(target, add, conditions)} union all ${targetSql({ filter: {} }, add, [hasRow])}`;
}

export async function meantBy(aimed: Aimed, within: Within = {}): Promise<Meant> {
  const { values, add } = parameters();
  const sql = `select ${meantRow} from (${meantSql(aimed, within, add)}) d`;
  return (await currentSql().rows(meantRow, sql, values))[0]!;
}

const aimedColumns = ['target', 'versionRange', 'runs', 'approval', 'stage', 'stageCuts'] as const;
const aimedTask = columns(Task, 't', aimedColumns, {
  orderedOrgIds: computed<string>(orderedOrgIdsSql),
});
const device = columns(DeviceCopy, 'd', ['name', 'mac', 'model', 'firmware'], {
  deviceId: computed<string>('d.id'),
  online: computed<boolean>('d.online'),
});

/** Returns a page of the devices for a second person: the same devices as in the number that they approve. */
export async function pageOfMeant(
  id: string,
  query: RouteInput<typeof listMeantDevices>['query'],
): Promise<RouteReturn<typeof listMeantDevices>> {
  const [row] = await currentSql().rows(
    aimedTask,
    `select ${aimedTask} from task t left join creator_copy u on u.id = t.creator_id where t.id = $1`,
    [id],
  );
  const { approval, runs: run, stage, stageCuts: cuts, orderedOrgIds, ...aimed } = found(row);
  const { values, add } = parameters();
  const within = {
    orgIds: orderedOrgIds,
    ...(approval?.begins === 'rerunFailed' ? { failedIn: { taskId: id, run } } : {}),
    ...(approval?.begins === 'stage' ? { inStages: { taskId: id, run, stage, cuts } } : {}),
  };
  const from = `(${meantSql(aimed, within, add)}) d`;
  return readPage({
    query,
    record: device,
    from,
    values,
    where: (addValue) => (query.search ? [nameOrMacSql('d', query.search, addValue)] : []),
    order: `${alphabetic('d.name')}, d.id`,
  });
}

import { actions, refusalOf, type ActionFile, type Refusal } from '@carillon/actions';
import type { TaskStatus } from '@carillon/contracts';
import { column, columns, computed, currentSql } from '@carillon/persistence';
import { fileSql } from '../file/file.ts';
import { DeviceCopy } from '../projections/device-copy.entity.ts';
import { Task, TaskDevice } from '../task/task.entity.ts';
import { next, taskDeviceStates } from '../task/task.states.ts';
import { settle } from './send.ts';
import { isBetweenSql } from './version.ts';

const versionEnd = (end: 'from' | 'to'): string => `(t.version_range ->> '${end}')`;
const dueRow = columns(TaskDevice, 'td', ['commandId'], {
  action: column(Task, 't', 'action'),
  params: column(Task, 't', 'params'),
  model: column(DeviceCopy, 'd', 'model'),
  firmware: column(DeviceCopy, 'd', 'firmware'),
  capabilities: column(DeviceCopy, 'd', 'capabilities'),
  doorCount: column(DeviceCopy, 'd', 'doorCount'),
  file: computed<ActionFile | null>(fileSql('td.file_id')),
  restores: computed<boolean>(`(t.target ? 'rollback')`),
  isInRange: computed<boolean | null>(`
    case
      when t.version_range is null then true
      else ${isBetweenSql('d.firmware', versionEnd('from'), versionEnd('to'))}
    end
  `),
});
const releasedRow = columns(TaskDevice, 'td', ['taskId', 'deviceId', 'orgId'], {
  to: computed<TaskStatus>('td.status'),
});

/** Returns why a device is outside of its task's version range, or null. */
const versionRefusal = (isInRange: boolean | null): Refusal | null =>
  isInRange ? null : { code: isInRange === null ? 'versionUnknown' : 'versionOutside', values: {} };

/**
 * Releases the devices of a company whose next try, slot in the spread or end of the wait for a hello has come. From
 * here on they wait like any other. A device may have changed, for example by a newer task that passed it, so it is
 * checked again. Skips rows locked by another process, which releases them itself. Returns the devices that may be
 * started.
 */
export async function releasePaced(companyId: string): Promise<string[]> {
  const due = await currentSql().rows(
    dueRow,
    `
      select ${dueRow}
      from task_device td
      join task t on t.id = td.task_id
      join device_copy d on d.id = td.device_id
      where td.status = 'wait' and td.not_before <= now()
      order by td.not_before
      limit 5000
      for update of td skip locked
    `,
  );
  if (due.length === 0) return [];
  const judged = due.map(({ commandId, action, params, file, restores, isInRange, ...device }) => {
    const refusal =
      refusalOf(actions[action]!, device, params, file ?? undefined, restores) ?? versionRefusal(isInRange);
    return {
      commandId,
      to: refusal ? next(taskDeviceStates, 'wait', 'refuse') : 'wait',
      code: refusal?.code ?? null,
      values: refusal?.values ?? null,
    };
  });
  const released = await currentSql().rows(
    releasedRow,
    `
      update task_device td
      set not_before = null, status = x."to", code = x.code, code_values = x.values, updated_at = now(),
        ended_at = case when x.code is not null then now() end
      from jsonb_to_recordset($1::jsonb) as x("commandId" uuid, "to" text, code text, values jsonb)
      where td.command_id = x."commandId"
      returning ${releasedRow}
    `,
    [JSON.stringify(judged)],
  );
  await settle(
    companyId,
    released.map(({ taskId, orgId, to }) => ({ taskId, orgId, from: 'wait', to }) as const),
  );
  return released.flatMap(({ deviceId, to }) => (to === 'wait' ? [deviceId] : []));
}

import { refusalOf, type Action } from '@carillon/actions';
import type { DeviceTarget, VersionRange } from '@carillon/contracts';
import {
  configStateSql,
  deviceFilterSql,
  deviceStateSql,
  onlineSinceSql,
  seenSql,
} from '@carillon/contracts/device-filter';
import { columns, computed, currentSql } from '@carillon/persistence';
import { judgedFile, judgedFileSql, type Brought } from '../file/brought.ts';
import { copiedConfigSql } from '../file/file-copy.entity.ts';
import { DeviceCopy } from '../projections/device-copy.entity.ts';
import { dueSql, type BaselineTarget } from '../baseline/follow.ts';
import { isBetweenSql, isSameVersionSql } from './version.ts';

type Add = (value: unknown) => string;

const configState = (wanted: string): string => configStateSql(wanted, 'c.config_version', 'c.config_drifted');

/**
 * SQL: devices as the list shows them: the copy with the link's own presence, so that 'all that match' is what the user
 * saw.
 */
const devices = `
  (
    select c.*, coalesce(s.online, false) as online,
      ${deviceStateSql((column) => (column === 'online' ? 'coalesce(s.online, false)' : `c.${column}`))} as state,
      coalesce(${copiedConfigSql(configState)('c.id')}, 'none') as config_state,
      ${seenSql('s.online', 's.at')} as seen_at, ${onlineSinceSql('s.online', 's.at')} as online_since
    from device_copy c
    left join link_session s on s.device_id = c.id
  ) d
`;

/** Target of a task: devices that a user chose, those of another task to roll back, or those behind a baseline. */
export type TaskTarget = DeviceTarget | { rollback: Rollback } | { baseline: BaselineTarget };
export interface Rollback {
  taskId: string;
  run: number;
  /** The version that they had. */
  version: string;
  models: readonly string[];
  only: 'all' | 'failed';
}

/** SQL: the devices `d` that had that version when that task changed them, and have another now. */
export const rollbackSql = ({ taskId, run, version, models, only }: Rollback, add: Add): string => `
  d.id in (
    select td.device_id
    from task_device td
    where td.task_id = ${add(taskId)}
      and td.run = ${add(run)}
      and ${isSameVersionSql('td.version_before', `${add(version)}::text`)}
      ${only === 'failed' ? `and td.status in ('fail', 'timeout')` : ''}
  )
  and not ${isSameVersionSql('d.firmware', `${add(version)}::text`)}
  and d.model = any(${add(models)}::text[])
`;

/** Whether a task restores what its devices had before. */
export const restoresOf = (target: TaskTarget): boolean => 'rollback' in target;

/** SQL: the devices `d` of a target that the acting user sees, under further conditions. */
export function targetSql(target: TaskTarget, add: Add, conditions: readonly string[] = []): string {
  const all =
    'ids' in target
      ? [`d.id = any(${add(target.ids)}::uuid[])`]
      : 'rollback' in target
        ? [rollbackSql(target.rollback, add)]
        : 'baseline' in target
          ? [dueSql(target.baseline, add)]
          : [
              deviceFilterSql(target.filter, add),
              ...(target.exclude?.length ? [`d.id <> all(${add(target.exclude)}::uuid[])`] : []),
            ];
  return `select d.* from ${devices} where ${[...all, ...conditions].join(' and ')}`;
}

/**
 * SQL: whether a device's firmware is in the range (TASK-05); null when its version cannot be compared. Devices with
 * unknown versions get a row that fails with the reason, so that they do not seem done; devices outside of the range
 * get none.
 */
export function inRangeSql(range: VersionRange | null, add: Add): string {
  if (range === null) return 'true';
  return isBetweenSql('d.firmware', `${add(range.from)}::text`, `${add(range.to)}::text`);
}

const kindOf = (fileId: string) =>
  columns(DeviceCopy, 'd', ['model', 'firmware', 'capabilities', 'doorCount'], {
    fileId: computed<string | null>(fileId),
  });

/**
 * SQL: why an action refuses the devices `d` of a target with their files, as `r`. Computed once per kind of device and
 * file, not per device. `restores`: it restores the version that they had.
 */
export async function refusedSql(
  {
    action,
    params,
    brought,
    restores,
  }: { action: Action; params: Record<string, unknown>; brought: Brought | undefined; restores: boolean },
  target: string,
  values: readonly unknown[],
  add: Add,
): Promise<string> {
  const fileId = judgedFileSql(brought);
  const kindRow = kindOf(fileId);
  const kinds = await currentSql().rows(kindRow, `select distinct ${kindRow} from (${target}) d`, values);
  const refused = kinds.flatMap((kind) => {
    const refusal = refusalOf(action, kind, params, judgedFile(brought, kind.fileId), restores);
    return refusal ? [{ ...kind, ...refusal }] : [];
  });
  return `
    left join jsonb_to_recordset(${add(JSON.stringify(refused))}::jsonb) as r(
      model text, firmware text, capabilities jsonb, "doorCount" int, "fileId" uuid, code text, values jsonb
    ) on r.model = d.model
      and r."doorCount" is not distinct from d.door_count
      and r.firmware is not distinct from d.firmware
      and r.capabilities = d.capabilities
      and r."fileId" is not distinct from ${fileId}
  `;
}

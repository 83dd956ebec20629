import { deviceGroupState } from '@carillon/contracts';
import { emitMany } from '@carillon/messaging';
import { columns, currentSql } from '@carillon/persistence';
import { DeviceGroup } from './device-group.entity.ts';

const view = columns(DeviceGroup, 'g', ['id', 'companyId', 'orgId', 'name', 'version']);

/** Publishes added, changed and restored groups. */
export async function publishGroups(ids: readonly string[]): Promise<void> {
  const rows = await currentSql().rows(
    view,
    `update device_group g set version = g.version + 1 where g.id = any($1::uuid[]) returning ${view}`,
    [ids],
  );
  await emitMany(
    deviceGroupState,
    'group',
    rows.map(({ version, ...data }) => ({ key: data.id, data, version, companyId: data.companyId })),
  );
}

/** Publishes the deletion of groups. */
export async function publishGroupsGone(
  groups: readonly Pick<DeviceGroup, 'id' | 'companyId' | 'version'>[],
): Promise<void> {
  await emitMany(
    deviceGroupState,
    'group',
    groups.map(({ id, companyId, version }) => ({ key: id, data: null, version: version + 1, companyId })),
  );
}

import { deviceCredential, deviceState } from '@carillon/contracts';
import { emitMany } from '@carillon/messaging';
import { columns, computed, currentSql, parameters, type RowOf } from '@carillon/persistence';
import { lockRules, ruledGroupsSql } from '../device-group/device-group.queries.ts';
import { assignedLine } from '../line/assigned-line.ts';
import { byModel, mutualModels } from '../model/chosen-model.ts';
import { Device } from './device.entity.ts';

/** The properties of a device that other services copy, and the address of its event. */
export const viewProperties = [
  'id',
  'orgId',
  'mac',
  'name',
  'model',
  'sn',
  'firmware',
  'internalIp',
  'configured',
  'failedLines',
  'configFailed',
  'configVersion',
  'capabilities',
  'ownerEpoch',
  'siteId',
  'serverId',
  'lines',
  'doors',
  'accounts',
  'groupIds',
  'tags',
  'enabled',
  'version',
  'companyId',
] as const;
/** What the event has besides, from a table `d`. */
export const viewExtras = {
  secretMark: computed<string>('left(md5(d.secret_hash), 12)'),
  configDrifted: computed<boolean>('d.config_drifted_at is not null'),
};
/** Columns of the event from a table `d`, which is emitted in the transaction of the change. */
export const deviceView = columns(Device, 'd', viewProperties, viewExtras);
export type ViewRow = RowOf<typeof deviceView>;

const credential = columns(Device, 'd', [
  'id',
  'companyId',
  'orgId',
  'mac',
  'ownerEpoch',
  'secretHash',
  'previousHash',
  'enabled',
  'version',
  'model',
]);

/** Recomputes the rule-based groups of changed devices and publishes their new state. */
export async function publishDevices(rows: readonly ViewRow[]): Promise<void> {
  const ruled = new Map((await applyGroupRules(rows.map((r) => r.id))).map((r) => [r.id, r]));
  await publishDeviceState(rows.map((row) => ruled.get(row.id) ?? row));
}

/** Publishes the given rows as `device.state` events. */
export async function publishDeviceState(rows: readonly ViewRow[]): Promise<void> {
  const decided = await byModel(rows);
  await emitMany(
    deviceState,
    'device',
    rows.map(({ version, companyId, lines, doors: _, accounts, ...data }, n) => ({
      key: data.id,
      data: {
        ...data,
        ...decided[n]!,
        accounts: accounts.map((a) => ({ ...a, ...assignedLine(lines, a.line) })),
      },
      version,
      companyId,
      orgId: data.orgId,
    })),
  );
}

/**
 * Moves changed devices in and out of groups by their rules. Returns the devices whose groups changed; the caller
 * publishes them.
 */
export async function applyGroupRules(ids: readonly string[]): Promise<ViewRow[]> {
  const rules = ids.length === 0 ? [] : await lockRules();
  if (rules.length === 0) return [];
  const { add, values } = parameters();
  return currentSql().rows(
    deviceView,
    `
      update device d
      set group_ids = x.groups, version = d.version + 1
      from (
        select d.id, ${ruledGroupsSql(rules, add)} as groups
        from device d
        where d.id = any(${add(ids)}::uuid[])
      ) x
      where d.id = x.id and not (d.group_ids @> x.groups and d.group_ids <@ x.groups)
      returning ${deviceView}
    `,
    values,
  );
}

export async function publishCredentials(ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await currentSql().rows(credential, `select ${credential} from device d where d.id = any($1::uuid[])`, [
    ids,
  ]);
  const mutual = await mutualModels(rows.map((row) => row.model));
  await emitMany(
    deviceCredential,
    'credential',
    rows.map(({ id, version, companyId, model, ...data }) => ({
      key: id,
      version,
      companyId,
      orgId: data.orgId,
      data: { deviceId: id, ...data, ...(mutual.has(model) ? { certificateRequired: true as const } : {}) },
    })),
  );
}

/** Publishes the credentials of devices whose new model demands a certificate, or does so no longer. */
export async function publishCertificateNeed(
  devices: readonly { id: string; model: string; modelBefore: string }[],
): Promise<void> {
  const renamed = devices.filter((device) => device.model !== device.modelBefore);
  const mutual = await mutualModels(renamed.flatMap((device) => [device.model, device.modelBefore]));
  await publishCredentials(
    renamed.filter((d) => mutual.has(d.model) !== mutual.has(d.modelBefore)).map((device) => device.id),
  );
}

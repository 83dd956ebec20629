import { createHash, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { columns, currentSql, uuidv7 } from '@carillon/persistence';
import { auditNote, CONFIG, emitLive, fail, found } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { moveGroups } from '../device-group/device-group.queries.ts';
import { noteDevices } from '../channel-order/order-device.queries.ts';
import { claimMacs } from '../mac-owner/mac-owner.queries.ts';
import { freeMacs, moveDeleted } from './deleted-device.queries.ts';
import type { DeviceConfig } from '../config.ts';
import { connectOf } from './connect.ts';
import { Device } from './device.entity.ts';
import { deviceView, publishCredentials, publishDevices, type ViewRow } from './device.publisher.ts';

/**
 * 32 random bytes cannot be guessed, so a single fast hash is enough at CONNECT. None begins with `-`, which
 * spreadsheets take for a formula.
 */
export function newSecret(): string {
  const secret = randomBytes(32).toString('base64url');
  return secret.startsWith('-') ? newSecret() : secret;
}
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

const identified = columns(Device, 'd', ['id', 'mac']);

/**
 * Ends the old secrets of devices that have connected with their new one (device-link.md, `credentialRotate`), unless
 * it was renewed again since.
 */
export async function endOldSecrets(proved: readonly { id: string; hash: string }[]): Promise<void> {
  const rows = await currentSql().rows(
    identified,
    `
      update device d
      set previous_hash = null, version = d.version + 1
      from jsonb_to_recordset($1::jsonb) as m(id uuid, hash text)
      where d.id = m.id and d.secret_hash = m.hash and d.previous_hash is not null
      returning ${identified}
    `,
    [JSON.stringify(proved)],
  );
  if (rows.length > 0) await publishCredentials(rows.map((r) => r.id));
}

/** Moves all devices and groups of one organization to another (ORG-01). */
export async function moveDevices(fromId: string, toId: string): Promise<void> {
  await emitLive(context().companyId, 'deviceGroup', await moveGroups(fromId, toId), [fromId, toId]);
  const rows = await currentSql().rows(
    deviceView,
    `update device d set org_id = $2, version = version + 1 where org_id = $1 returning ${deviceView}`,
    [fromId, toId],
  );
  await moveDeleted(fromId, toId);
  if (rows.length === 0) return;
  await publishDevices(rows);
  await publishCredentials(rows.map((r) => r.id));
  await emitLive(
    rows[0]!.companyId,
    'device',
    rows.map((r) => r.id),
    [fromId, toId],
  );
}

const named = columns(Device, 'd', ['id', 'mac', 'name', 'orgId']);

export interface NewDevice {
  mac: string;
  name: string;
  model: string;
  sn: string;
  orgId: string;
  secretHash: string;
  siteId?: string | null;
  serverId?: string | null;
  accounts?: readonly { line: number; accountId: string }[];
  /** Taken over from the device that it replaces. */
  groupIds?: readonly string[];
  tags?: Readonly<Record<string, string>>;
  configVersion?: string | null;
}

/** Inserts devices in the running transaction, and publishes their state and credentials. */
export async function insertDevices(companyId: string, devices: readonly NewDevice[]): Promise<ViewRow[]> {
  await freeMacs(
    companyId,
    devices.map((d) => d.mac),
  );
  return insertFree(companyId, devices);
}

/**
 * Does the same when it is known that no deletion of these MACs can be undone. `taken` set to `out` skips existing
 * devices and MACs of another company instead of failing.
 */
export async function insertFree(companyId: string, devices: readonly NewDevice[], taken?: 'out'): Promise<ViewRow[]> {
  const own = await claimMacs(
    companyId,
    devices.map((d) => d.mac),
    'typed',
  );
  if (taken !== 'out' && devices.some((d) => !own.has(d.mac))) fail('device.macTaken');
  const rows = await currentSql().rows(
    deviceView,
    `
      insert into device as d (
        id, company_id, org_id, mac, name, model, sn, lines, calls, capabilities, configured, config_failed,
        failed_lines, online, epoch, owner_epoch, version, secret_hash, created_at, site_id, placed,
        server_id, accounts, group_ids, tags, config_version, reset_id
      )
      select x.id, $1, x.org_id, x.mac, x.name, x.model, x.sn, '[]', 0, '[]', false, false, 0, false, 0, x.epoch, 1,
        x.secret_hash, now(), x.site_id, x.site_id is not null, x.server_id, x.accounts, x.group_ids, x.tags,
        x.config_version, x.reset_id
      from jsonb_to_recordset($2::jsonb) as x(
        id uuid, org_id uuid, mac text, name text, model text, sn text, secret_hash text, site_id uuid, server_id uuid,
        accounts jsonb, group_ids uuid[], tags jsonb, config_version text, epoch int, reset_id uuid
      )
      ${taken === 'out' ? 'on conflict (company_id, mac) do nothing' : ''}
      returning ${deviceView}
    `,
    [
      companyId,
      JSON.stringify(
        devices
          .filter((d) => own.has(d.mac))
          .map((d) => ({
            id: uuidv7(),
            epoch: own.get(d.mac)!.epoch,
            reset_id: own.get(d.mac)!.resetId,
            org_id: d.orgId,
            mac: d.mac,
            name: d.name,
            model: d.model,
            sn: d.sn,
            secret_hash: d.secretHash,
            site_id: d.siteId ?? null,
            server_id: d.serverId ?? null,
            accounts: d.accounts ?? [],
            group_ids: d.groupIds ?? [],
            tags: d.tags ?? {},
            config_version: d.configVersion ?? null,
          })),
      ),
    ],
  );
  await noteDevices(rows);
  await publishDevices(rows);
  await publishCredentials(rows.map((r) => r.id));
  return rows;
}

@Injectable()
export class DeviceService {
  constructor(@Inject(CONFIG) private readonly config: DeviceConfig) {}

  /**
   * Renews a device's secret. The old one works until the device has connected with the new one; after two renewals the
   * last two work.
   */
  async renewSecret(id: string) {
    const secret = newSecret();
    const rows = await currentSql().rows(
      deviceView,
      `
        update device d
        set previous_hash = secret_hash, secret_hash = $2, version = version + 1
        where id = $1
        returning ${deviceView}
      `,
      [id, hashOf(secret)],
    );
    const device = found(rows[0]);
    auditNote({ objectId: id, objectName: device.name, orgIds: [device.orgId] });
    await publishDevices(rows);
    await publishCredentials([id]);
    return { secret, connect: connectOf(this.config.deviceAddress, device.mac, secret) };
  }

  /** Ends the old secret at once, even when the device has not used the new one: the old one may be compromised. */
  async endOldSecret(id: string) {
    const device = found(
      (await currentSql().rows(named, `select ${named} from device d where d.id = $1 for update`, [id]))[0],
    );
    const ended = await currentSql().rows(
      named,
      `
        update device d
        set previous_hash = null, version = version + 1
        where id = $1 and previous_hash is not null
        returning ${named}
      `,
      [id],
    );
    auditNote({ objectId: id, objectName: device.name, orgIds: [device.orgId] });
    if (ended.length > 0) await publishCredentials([id]);
    return { ended: ended.length > 0 };
  }

  /**
   * Enables or disables devices. The MQTT gateway closes a disabled device's connection when its credential arrives.
   */
  async setEnabled(ids: readonly string[], enabled: boolean): Promise<number> {
    const who = context();
    const rows = await currentSql().rows(
      named,
      `select ${named} from device d where d.id = any($1::uuid[]) order by d.id for update`,
      [ids],
    );
    if (rows.length === 0) fail('common.notFound');
    const changed = await currentSql().rows(
      deviceView,
      `
        update device d
        set enabled = $2, version = version + 1
        where id = any($1::uuid[]) and enabled <> $2
        returning ${deviceView}
      `,
      [ids, enabled],
    );
    auditNote({
      ...(rows.length === 1 ? { objectId: rows[0]!.id } : {}),
      objectName: rows
        .map((r) => r.name)
        .join(', ')
        .slice(0, 200),
      orgIds: [...new Set(rows.map((r) => r.orgId))],
    });
    const changedIds = changed.map((r) => r.id);
    if (changedIds.length > 0) {
      await publishDevices(changed);
      await publishCredentials(changedIds);
      await emitLive(who.companyId, 'device', changedIds, [...new Set(changed.map((r) => r.orgId))]);
    }
    return changed.length;
  }
}

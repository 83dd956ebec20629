import { Injectable } from '@nestjs/common';
import { deviceCredential, deviceState, linkCommand } from '@carillon/contracts';
import { emitMany } from '@carillon/messaging';
import { columns, currentSql, Database, type RowOf } from '@carillon/persistence';
import { areBack, auditNote, emitLive, fail, freshSql, Retention } from '@carillon/service';
import { context } from '@carillon/tenancy';
import { forgetOrderDevices, noteDevices } from '../channel-order/order-device.queries.ts';
import { noteEnd } from '../device-log/device-log.queries.ts';
import { claimMacs, forgetDeletedSql } from '../mac-owner/mac-owner.queries.ts';
import { Device, DeletedDevice, storedColumns } from './device.entity.ts';
import { deviceView, publishCredentials, publishDevices } from './device.publisher.ts';

/**
 * Columns that are restored as they were. Not among them: presence, because a restored device is offline; the version,
 * which must be newer than the deletion; and references that may be gone by now.
 */
const keptColumns = storedColumns.filter(
  (c) => !['online', 'version', 'site_id', 'left_site_id', 'group_ids', 'accounts'].includes(c),
);

const named = columns(Device, 'd', ['id', 'mac', 'name', 'orgId']);
const keptMac = columns(DeletedDevice, 'k', ['mac']);
const noteOf = (rows: readonly RowOf<typeof named>[]): void =>
  auditNote({
    orgIds: rows.map((r) => r.orgId),
    detail: { devices: rows.map(({ id, mac, name }) => ({ id, mac, name })).slice(0, 100), count: rows.length },
    ...(rows.length === 1 ? { objectId: rows[0]!.id, objectName: rows[0]!.name } : {}),
  });

/** Deletes devices at once for everyone, and keeps them for a while so that the user who deleted them can undo it. */
@Injectable()
export class DeletionService extends Retention {
  /** Deletes kept devices as soon as they cannot be restored, so that no secret's hash outlives its use. */
  constructor(database: Database) {
    super(database, {
      reason: 'forget deleted devices that cannot come back',
      everyMs: 30_000,
      forget: async () => (await currentSql().query(forgetDeletedSql)).rowCount,
    });
  }

  /** Deletes devices. One that is replaced has its entry in the log already. */
  async remove(ids: readonly string[], isReplaced = false) {
    const who = context();
    const rows = await currentSql().rows(
      named,
      `
        with gone as (delete from device where id = any($1::uuid[]) returning *),
        kept as (
          insert into device_deleted (id, company_id, org_id, user_id, mac, row, deleted_at)
          select id, company_id, org_id, $2, mac, to_jsonb(gone), now()
          from gone
        )
        select ${named}
        from gone d
      `,
      [ids, who.userId],
    );
    if (rows.length === 0) fail('common.notFound');
    if (!isReplaced)
      await noteEnd(
        'deleted',
        rows.map((row) => ({ ...row, companyId: who.companyId })),
      );
    await forgetOrderDevices(ids);
    const tombstones = rows.map((r) => ({ key: r.id, data: null, companyId: who.companyId }));
    await emitMany(deviceState, 'device', tombstones);
    await emitMany(deviceCredential, 'credential', tombstones);
    await emitMany(
      linkCommand,
      'close',
      rows.map((r) => ({ key: r.id, data: { deviceId: r.id, mac: r.mac }, companyId: who.companyId })),
    );
    noteOf(rows);
    await emitLive(
      who.companyId,
      'device',
      rows.map((r) => r.id),
      rows.map((r) => r.orgId),
    );
    return { deleted: rows.length };
  }

  async restore(ids: readonly string[]) {
    const { userId, companyId, orgId, orgIds } = context();
    // A MAC that another company has taken in the meantime is not restored.
    const kept = await currentSql().rows(
      keptMac,
      `select ${keptMac} from device_deleted k where k.id = any($1::uuid[]) and k.user_id = $2`,
      [ids, userId],
    );
    const own = await claimMacs(
      companyId,
      kept.map((k) => k.mac),
      'typed',
    );
    const rows = await currentSql().rows(
      deviceView,
      `
        with back as (
          delete from device_deleted
          where id = any($1::uuid[]) and user_id = $2 and ${freshSql} and mac = any ($4::text[])
          returning row, deleted_at
        ),
        made as (
          insert into device (${keptColumns.join(', ')}, online, version, site_id, left_site_id, group_ids, accounts)
          select ${keptColumns.map((c) => `r.${c}`).join(', ')}, false, r.version + 1, s.id,
            case when s.id is null then coalesce(r.site_id, r.left_site_id) end,
            array(select g.id from device_group g where g.id = any(r.group_ids) and g.org_id = r.org_id),
            (
              select coalesce(jsonb_agg(x), '[]')
              from jsonb_array_elements(r.accounts) x
              where exists (select from account_copy a where a.id = (x ->> 'accountId')::uuid)
            )
          from back
          -- A row that was kept before the columns were there was enabled and had no tags and no doors; one that was
          -- online was seen until then.
          cross join lateral jsonb_populate_record(
            null::device,
            '{"enabled": true, "tags": {}, "doors": []}'::jsonb || back.row || case
              when (back.row ->> 'online')::boolean then jsonb_build_object('last_online_at', back.deleted_at)
              else '{}'
            end
          ) r
          left join site_copy s on s.id = coalesce(r.site_id, r.left_site_id)
          where r.org_id = any($3::uuid[]) or exists (select 1 from organization_copy o where o.id = r.org_id)
          on conflict do nothing
          returning *
        )
        select ${deviceView}
        from made d
      `,
      [ids, userId, orgIds === '*' ? [orgId] : orgIds, [...own.keys()]],
    );
    if (rows.length === 0) {
      // A repeated request, from a second tab or after a lost answer, finds the devices restored.
      if (await areBack('device', ids)) return { restored: 0 };
      fail('device.restoreOver');
    }
    await noteDevices(rows);
    await publishDevices(rows);
    await publishCredentials(rows.map((r) => r.id));
    noteOf(rows);
    await emitLive(
      companyId,
      'device',
      rows.map((r) => r.id),
      rows.map((r) => r.orgId),
    );
    return { restored: rows.length };
  }
}

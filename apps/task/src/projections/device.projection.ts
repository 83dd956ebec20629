import { defineEntity, p } from '@mikro-orm/postgresql';
import { Controller } from '@nestjs/common';
import { deviceState, type Message } from '@carillon/contracts';
import { tenant, tenantProperties, currentSql } from '@carillon/persistence';
import { On } from '@carillon/messaging';

/** Copy of what a task must know of a device to find it, to judge it and to name it later. */
export const DeviceCopy = defineEntity({
  name: 'DeviceCopy', tableName: 'device_copy',
  properties: {
    ...tenantProperties,
    orgId: p.uuid(),
    mac: p.string().length(12),
    name: p.string().length(64),
    model: p.string().length(128),
    sn: p.string().length(128),
    firmware: p.string().length(128).nullable(),
    internalIp: p.string().length(64).nullable(),
    capabilities: p.json<string[]>(),
    configured: p.boolean(),
    configFailed: p.boolean(),
    failedLines: p.integer(),
    ownerEpoch: p.integer(),
    version: p.integer(),
  },
  ...tenant({ organization: true }),
});

@Controller()
export class DeviceProjection {
  /** The newest version of each device in the batch, and never an older one than the copy has. */
  @On(deviceState, ['device'])
  async device(messages: Message<typeof deviceState>[]): Promise<void> {
    const newest = new Map(messages.map((m) => [m.key, m]));
    const gone = [...newest.values()].filter((m) => m.data === null).map((m) => m.key);
    if (gone.length > 0) await currentSql().query('delete from device_copy where id = any($1::uuid[])', [gone]);
    const here = [...newest.values()].flatMap((m) => (m.data ? [{ ...m.data, companyId: m.companyId, version: m.version ?? 0 }] : []));
    if (here.length === 0) return;
    await currentSql().query(`
      insert into device_copy as c (id, company_id, org_id, mac, name, model, sn, firmware, internal_ip, capabilities, configured, config_failed, failed_lines, owner_epoch, version)
      select * from jsonb_to_recordset($1::jsonb) as x(id uuid, "companyId" uuid, "orgId" uuid, mac text, name text, model text, sn text, firmware text, "internalIp" text, capabilities jsonb, configured boolean, "configFailed" boolean, "failedLines" int, "ownerEpoch" int, version int)
      on conflict (id) do update set org_id = excluded.org_id, name = excluded.name, model = excluded.model, sn = excluded.sn, firmware = excluded.firmware, internal_ip = excluded.internal_ip,
        capabilities = excluded.capabilities, configured = excluded.configured, config_failed = excluded.config_failed, failed_lines = excluded.failed_lines, owner_epoch = excluded.owner_epoch, version = excluded.version
      where c.version < excluded.version`, [JSON.stringify(here)]);
  }
}

import { Inject, Injectable } from '@nestjs/common';
import type { renewImportSecrets, RouteInput, RouteReturn } from '@carillon/contracts';
import { columns, computed, currentSql } from '@carillon/persistence';
import { auditNote, CONFIG, found } from '@carillon/service';
import { context } from '@carillon/tenancy';
import type { DeviceConfig } from '../config.ts';
import { publishedAddress } from './connect.ts';
import { Device } from './device.entity.ts';
import { deviceView, publishCredentials, publishDevices } from './device.publisher.ts';
import { hashOf, newSecret } from './device.service.ts';

const devicesAtOnce = 1_000;
/** Added without a secret, never connected, and given no secret elsewhere since. */
const givable = `
  r.outcome = 'add' and r.state = 'done' and coalesce(r.cells ->> 'secret', '') = '' and not d.online
  and d.last_online_at is null and d.secret_hash = r.after ->> 'secret_hash'
`;
const toldMacs = 100;
const waiting = columns(Device, 'd', ['id', 'mac', 'name', 'model', 'orgId'], {
  row: computed<number>('r.number'),
});

/** Gives imported devices their secrets, which are stored only as hashes: the import itself cannot show them. */
@Injectable()
export class ImportSecretService {
  constructor(@Inject(CONFIG) private readonly config: DeviceConfig) {}

  async renew({
    params: { id },
    body: { after = 0 },
  }: RouteInput<typeof renewImportSecrets>): Promise<RouteReturn<typeof renewImportSecrets>> {
    const { rows: own } = await currentSql().query<{ name: string }>(
      "select i.name from import i where i.id = $1 and i.noun = 'device' and i.user_id = $2 and i.status = 'done'",
      [id, context().userId],
    );
    const { name } = found(own[0]);
    const devices = await currentSql().rows(
      waiting,
      `
        with chosen as (
          select r.id
          from import_row r
          join device d on d.id = r.object_id
          where r.import_id = $1 and r.number > $2 and ${givable}
          order by r.number
          limit ${devicesAtOnce}
        )
        select ${waiting}
        from chosen c
        join import_row r on r.id = c.id
        join device d on d.id = r.object_id
        where ${givable}
        order by d.id
        for update of d
      `,
      [id, after],
    );
    const made = devices.map((device) => ({ ...device, secret: newSecret() })).sort((a, b) => a.row - b.row);
    auditNote({
      objectName: name,
      orgIds: [...new Set(made.map((device) => device.orgId))],
      detail: { count: made.length, macs: made.slice(0, toldMacs).map((device) => device.mac) },
    });
    if (made.length > 0) await this.store(id, made);
    return {
      devices: made.map(({ orgId: _, row: __, ...device }) => device),
      // Not by their number: a device that connects meanwhile leaves a gap before the next ones.
      next: made.at(-1)?.row ?? null,
      address: publishedAddress(this.config.deviceAddress),
    };
  }

  private async store(importId: string, made: readonly { id: string; secret: string }[]): Promise<void> {
    const hashes = JSON.stringify(made.map(({ id, secret }) => ({ id, hash: hashOf(secret) })));
    const rows = await currentSql().rows(
      deviceView,
      `
        update device d
        set previous_hash = secret_hash, secret_hash = x.hash, version = d.version + 1
        from jsonb_to_recordset($1::jsonb) as x(id uuid, hash text)
        where d.id = x.id
        returning ${deviceView}
      `,
      [hashes],
    );
    // A new secret is no use of the device, so the import can still be undone.
    await currentSql().query(
      `
        update import_row r
        set after = jsonb_set(r.after, '{secret_hash}', to_jsonb(x.hash))
        from jsonb_to_recordset($2::jsonb) as x(id uuid, hash text)
        where r.import_id = $1 and r.object_id = x.id
      `,
      [importId, hashes],
    );
    await publishDevices(rows);
    await publishCredentials(made.map((device) => device.id));
  }
}

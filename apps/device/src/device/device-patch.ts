import { columns, currentSql } from '@carillon/persistence';
import { Device } from './device.entity.ts';
import { deviceView, publishCredentials, publishDevices, publishCertificateNeed } from './device.publisher.ts';

/** New values of a device, by their columns. */
export interface DevicePatch {
  name?: string;
  model?: string;
  sn?: string;
  site_id?: string | null;
  server_id?: string | null;
  org_id?: string;
  accounts?: readonly { line: number; accountId: string }[];
  group_ids?: readonly string[];
  tags?: Readonly<Record<string, string>>;
}

const owned = columns(Device, 'd', ['id', 'orgId', 'model']);

/** Stores other values for each device and publishes the devices. Returns them in their new organizations. */
export async function patchDevices(
  patches: readonly { id: string; set: DevicePatch }[],
): Promise<{ id: string; orgId: string }[]> {
  if (patches.length === 0) return [];
  const before = await currentSql().rows(
    owned,
    `select ${owned} from device d where d.id = any ($1::uuid[]) order by d.id for update`,
    [patches.map((p) => p.id)],
  );
  const rows = await currentSql().rows(
    deviceView,
    `
      update device d
      set name = coalesce(x.set ->> 'name', d.name), model = coalesce(x.set ->> 'model', d.model),
        sn = coalesce(x.set ->> 'sn', d.sn),
        site_id = case when x.set ? 'site_id' then x.site_id else d.site_id end,
        left_site_id = case
          when not x.set ? 'site_id' or d.site_id is not distinct from x.site_id then d.left_site_id
        end,
        placed = d.placed or (x.set ? 'site_id' and d.site_id is distinct from x.site_id),
        server_id = case when x.set ? 'server_id' then (x.set ->> 'server_id')::uuid else d.server_id end,
        org_id = coalesce((x.set ->> 'org_id')::uuid, d.org_id),
        accounts = coalesce(x.set -> 'accounts', d.accounts), tags = coalesce(x.set -> 'tags', d.tags),
        group_ids = case
          when x.set ? 'group_ids' then array(select g::uuid from jsonb_array_elements_text(x.set -> 'group_ids') g)
          else d.group_ids
        end,
        version = d.version + 1
      from (
        select (p ->> 'id')::uuid as id, p -> 'set' as set, (p -> 'set' ->> 'site_id')::uuid as site_id
        from jsonb_array_elements($1::jsonb) p
      ) x
      where d.id = x.id
      returning ${deviceView}
    `,
    [JSON.stringify(patches)],
  );
  await publishDevices(rows);
  const were = new Map(before.map((d) => [d.id, d]));
  await publishCredentials(rows.filter((row) => were.get(row.id)!.orgId !== row.orgId).map((row) => row.id));
  await publishCertificateNeed(rows.map(({ id, model }) => ({ id, model, modelBefore: were.get(id)!.model })));
  return rows.map(({ id, orgId }) => ({ id, orgId }));
}

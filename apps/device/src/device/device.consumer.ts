import { Controller } from '@nestjs/common';
import { linkGateway, linkReport, linkSession, type Message } from '@carillon/contracts';
import { On } from '@carillon/messaging';
import { currentDatabase, currentSql, platform } from '@carillon/persistence';
import { emitLive } from '@carillon/service';
import { deadSql, holdGateways, noteGateway } from './link-gateway.ts';
import { emitViews, endOldSecrets, returningView, type ViewRow } from './device.service.ts';

type Session = Message<typeof linkSession>;
type Report = Message<typeof linkReport>;
type Gateway = Message<typeof linkGateway>;

/** What a report changes of its device; absent is unchanged. */
interface Patch {
  id: string; owner_epoch: number; firmware?: string; hardware?: string; lte?: string; internal_ip?: string; model?: string; sn?: string; capabilities?: string[]; config_version?: string;
  lines?: unknown[]; failed_lines?: number; calls?: number; dnd?: string; certificate?: boolean; reset?: boolean; at: number;
}

/**
 * Locks the rows of a batch and says where each lies. Each is asked for by its key inside a lateral query with a lock, which
 * PostgreSQL can neither join nor answer from another index, and the next statement finds it by its place (docs/adr/0007):
 * by the statistics of a table that was just filled, seven devices were looked for among all of the company.
 */
async function locked<T extends { id: string }>(told: readonly T[]): Promise<(T & { place: string })[]> {
  const { rows } = await currentSql().query<{ id: string; place: string }>(
    'select d.id, d.place from unnest($1::uuid[]) as m(id) cross join lateral (select x.id, x.ctid::text as place from device x where x.id = m.id for update) d', [told.map((t) => t.id).sort()]);
  const places = new Map(rows.map((r) => [r.id, r.place]));
  return told.flatMap((t) => { const place = places.get(t.id); return place === undefined ? [] : [{ ...t, place }]; });
}

/** What devices and gateways tell, a batch of one company at a time, as one statement each. */
@Controller()
export class DeviceConsumer {
  /** Online and offline. Within a batch the highest epoch counts, and in it the last word; a lower epoch than the row's is late news. */
  @On(linkSession, ['online', 'offline'])
  async session(messages: Session[]): Promise<void> {
    const last = new Map<string, { id: string; epoch: number; online: boolean; gateway: string; address: string | null; at: number; owner_epoch: number }>();
    for (const { type, data } of messages) {
      if (!data) continue;
      const seen = last.get(data.deviceId);
      if (seen && seen.epoch > data.epoch) continue;
      last.set(data.deviceId, { id: data.deviceId, epoch: data.epoch, online: type === 'online', gateway: data.gateway, address: 'address' in data ? data.address : null, at: data.at, owner_epoch: data.ownerEpoch });
    }
    await holdGateways();
    const renewed = messages.flatMap(({ data }) => (data && 'secretHash' in data && data.secretHash ? [{ id: data.deviceId, hash: data.secretHash }] : []));
    if (renewed.length > 0) await endOldSecrets(renewed);
    const here = await locked([...last.values()]);
    if (here.length === 0) return;
    const { rows } = await currentSql().query<{ id: string; org_id: string; company_id: string }>(`
      update device d set online = m.online and not ${deadSql('m.gateway', 'm.at')}, epoch = m.epoch, gateway = m.gateway, public_ip = coalesce(m.address, d.public_ip),
        last_online_at = greatest(d.last_online_at, to_timestamp(m.at / 1000.0))
      from jsonb_to_recordset($1::jsonb) as m(place tid, epoch bigint, online boolean, gateway text, address text, at float8, owner_epoch int)
      where d.ctid = m.place and d.owner_epoch = m.owner_epoch and (m.epoch > d.epoch or (m.epoch = d.epoch and d.online and not m.online))
      returning d.id, d.org_id, d.company_id`, [JSON.stringify(here)]);
    if (rows.length > 0) await emitLive(rows[0]!.company_id, 'device', rows.map((r) => r.id), rows.map((r) => r.org_id));
  }

  /** A gateway that starts says that its older instances are dead: their devices are offline until they come back. */
  @On(linkGateway, ['started', 'gone'])
  async gateway(messages: Gateway[]): Promise<void> {
    for (const { type, data } of messages) {
      if (!data) continue;
      await noteGateway(type, data);
      const rows = await platform(currentDatabase(), 'a gateway process died with the sessions of several companies', async () => (await currentSql().query<{ id: string; org_id: string; company_id: string }>(
        type === 'started'
          ? `update device set online = false, last_online_at = greatest(last_online_at, to_timestamp($3 / 1000.0)) where online and gateway like $1 || '#%' and gateway <> $2 returning id, org_id, company_id`
          : `update device set online = false, last_online_at = greatest(last_online_at, to_timestamp($3 / 1000.0)) where online and $1::text is not null and gateway = $2 returning id, org_id, company_id`,
        [data.name, data.gateway, data.at])).rows);
      for (const [companyId, of] of Map.groupBy(rows, (r) => r.company_id)) await emitLive(companyId, 'device', of.map((r) => r.id), of.map((r) => r.org_id));
    }
  }

  /** What devices say of themselves. Only a change of what others copy is published on. */
  @On(linkReport, ['hello', 'state'])
  async report(messages: Report[]): Promise<void> {
    const patches = new Map<string, Patch>();
    for (const message of messages) {
      if (!message.data) continue;
      const { deviceId, ownerEpoch, receivedAt } = message.data;
      const patch = patches.get(deviceId) ?? { id: deviceId, owner_epoch: ownerEpoch, at: receivedAt };
      patches.set(deviceId, patch);
      const payload = message.data.payload as Record<string, unknown> & { lines?: { status: string }[]; boot?: string };
      const take = (column: keyof Patch, value: unknown): void => { if (value !== undefined) (patch as unknown as Record<string, unknown>)[column] = value; };
      for (const key of ['firmware', 'hardware', 'lte', 'model', 'sn', 'capabilities', 'calls', 'dnd', 'certificate'] as const) take(key, payload[key]);
      take('internal_ip', payload['ip']);
      take('config_version', payload['configVersion']);
      if (payload.boot === 'reset') { patch.reset = true; delete patch.config_version; take('config_version', payload['configVersion']); }
      if (payload.lines) { patch.lines = payload.lines; patch.failed_lines = payload.lines.filter((l) => l.status === 'failed' || l.status === 'abnormal').length; }
    }
    const here = await locked([...patches.values()]);
    if (here.length === 0) return;
    const changed = await currentSql().query<ViewRow & { viewChanged: boolean }>(`
      with m as (select * from jsonb_to_recordset($1::jsonb) as m(place tid, owner_epoch int, firmware text, hardware text, lte text, internal_ip text, model text, sn text, capabilities jsonb, config_version text, lines jsonb, failed_lines int, calls int, dnd text, certificate boolean, reset boolean, at float8)),
      n as (
        select d.ctid as place, coalesce(m.firmware, d.firmware) as firmware, coalesce(m.hardware, d.hardware) as hardware, coalesce(m.lte, d.lte) as lte, coalesce(m.internal_ip, d.internal_ip) as internal_ip,
          coalesce(m.model, d.model) as model, coalesce(m.sn, d.sn) as sn, coalesce(m.capabilities, d.capabilities) as capabilities,
          case when m.reset then m.config_version else coalesce(m.config_version, d.config_version) end as config_version,
          case when m.reset then m.config_version is not null else d.configured or m.config_version is not null end as configured,
          coalesce(m.lines, d.lines) as lines, coalesce(m.failed_lines, d.failed_lines) as failed_lines, coalesce(m.calls, d.calls) as calls, coalesce(m.dnd, d.dnd) as dnd, coalesce(m.certificate, d.certificate) as certificate,
          case when m.config_version is distinct from d.config_version and m.config_version is not null then to_timestamp(m.at / 1000.0) else d.last_config_at end as last_config_at,
          (d.firmware::text, d.internal_ip::text, d.model::text, d.sn::text, d.capabilities, d.configured, d.failed_lines) as was
        from m join device d on d.ctid = m.place and d.owner_epoch = m.owner_epoch)
      update device d set firmware = n.firmware, hardware = n.hardware, lte = n.lte, internal_ip = n.internal_ip, model = n.model, sn = n.sn, capabilities = n.capabilities, config_version = n.config_version,
        configured = n.configured, lines = n.lines, failed_lines = n.failed_lines, calls = n.calls, dnd = n.dnd, certificate = n.certificate, last_config_at = n.last_config_at,
        version = d.version + case when n.was is distinct from (n.firmware, n.internal_ip, n.model, n.sn, n.capabilities, n.configured, n.failed_lines) then 1 else 0 end
      from n where d.ctid = n.place and (n.was is distinct from (n.firmware, n.internal_ip, n.model, n.sn, n.capabilities, n.configured, n.failed_lines)
        or (d.hardware::text, d.lte::text, d.config_version::text, d.lines, d.calls, d.dnd::text, d.certificate) is distinct from (n.hardware, n.lte, n.config_version, n.lines, n.calls, n.dnd, n.certificate))
      returning ${returningView.split(', ').map((c) => `d.${c}`).join(', ')},
        n.was is distinct from (n.firmware, n.internal_ip, n.model, n.sn, n.capabilities, n.configured, n.failed_lines) as "viewChanged"`, [JSON.stringify(here)]);
    const views = changed.rows.filter((r) => r.viewChanged).map(({ viewChanged: _, ...view }) => view);
    if (views.length > 0) await emitViews(views);
    if (changed.rows.length > 0) await emitLive(changed.rows[0]!.companyId, 'device', changed.rows.map((r) => r.id), changed.rows.map((r) => r.orgId));
  }
}

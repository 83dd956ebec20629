import { actions } from '@carillon/actions';
import { linkCommand } from '@carillon/contracts';
import { emitMany } from '@carillon/messaging';
import { createLogger, span } from '@carillon/observability';
import { afterCommit, currentSql, iso } from '@carillon/persistence';
import { emitLive } from '@carillon/service';
import { addSums, moves } from '../task/task.sums.ts';
import { epochOf, inFlightSql } from './due.ts';

const log = createLogger('task');

interface Sent {
  task_id: string; device_id: string; mac: string; model: string; owner_epoch: number; org_id: string; command_id: string; expires_at: string;
  action: string; params: Record<string, unknown>; traceparent: string | null; firmware: string | null; capabilities: string[] | null;
}

const returning = `td.task_id, td.device_id, td.mac, td.model, td.owner_epoch, td.org_id, td.command_id, td.expires_at, p.action, p.params, p.traceparent, p.firmware, p.capabilities`;

async function emitCommands(companyId: string, rows: readonly Sent[]): Promise<void> {
  for (const [traceparent, of] of Map.groupBy(rows, (r) => r.traceparent)) {
    await span('task dispatch', { traceparent: traceparent ?? undefined, attributes: { 'carillon.commands': of.length } }, () => emitMany(linkCommand, 'command', of.map((r) => ({
      key: r.device_id, companyId, orgId: r.org_id,
      data: {
        deviceId: r.device_id, mac: r.mac, ownerEpoch: r.owner_epoch, id: r.command_id, action: r.action, expiresAt: Date.parse(iso(r.expires_at)),
        args: actions[r.action]!.toArgs(r.params, { id: r.device_id, mac: r.mac, model: r.model, firmware: r.firmware, capabilities: r.capabilities ?? [] }) as Record<string, unknown>,
      },
    }))));
  }
}

const answerWithin = (patience: number): string => JSON.stringify(Object.fromEntries(Object.values(actions).map((a) => [a.key, a.answerWithinMs * patience])));

/** Where to look for waiting rows: behind a device of one task, or at some devices, each one's oldest task. */
export type Scope = { taskId: string; behind: string } | { deviceIds: readonly string[] };

/**
 * Sends to those that are online and have no changing command in flight. The row is marked and the command leaves by the
 * outbox in one transaction, so that neither can be without the other. Looks at `limit` devices that are online; `last` is
 * the one to go on behind, null when all were looked at.
 *
 * The questions about each candidate are scalar subqueries on purpose. As joins PostgreSQL would plan them by the
 * statistics of a table that has just grown by the whole task: 5,000 rows took 20 s that way, and 30 ms this way.
 */
export async function sendCommands(companyId: string, scope: Scope, limit: number, patience: number): Promise<{ sent: number; last: string | null }> {
  const candidates = 'taskId' in scope
    ? { sql: `select w.task_id, w.device_id from task_device w where w.task_id = $2 and w.status = 'wait' and w.device_id > $3 and ${epochOf('w.device_id')} is not null order by w.device_id limit $4`, values: [scope.taskId, scope.behind, limit] }
    : { sql: `select distinct on (device_id) task_id, device_id from task_device where device_id = any($2::uuid[]) and status = 'wait' order by device_id, task_id`, values: [scope.deviceIds] };
  const { rows } = await currentSql().query<Partial<Sent> & { looked: number; last: string | null }>(`
    with c as materialized (${candidates.sql}),
    picked as (
      select td.task_id, td.device_id, ${epochOf('td.device_id')} as epoch, t.action, t.params, t.traceparent, d.firmware, d.capabilities
      from c join task_device td on td.task_id = c.task_id and td.device_id = c.device_id join task t on t.id = c.task_id left join device_copy d on d.id = c.device_id
      where td.status = 'wait' and td.expires_at > now() and ${epochOf('c.device_id')} is not null
        and (select 1 from task_device o where o.device_id = c.device_id and o.status in ${inFlightSql} limit 1) is null
        and (select 1 from task_device o where o.device_id = c.device_id and o.status = 'wait' and o.task_id < c.task_id limit 1) is null
      for update of td skip locked),
    sent as (
      update task_device td set status = 'process', sent_at = now(), sent_epoch = p.epoch, updated_at = now(), deadline_at = now() + make_interval(secs => ($1::jsonb ->> p.action)::float8 / 1000)
      from picked p where td.task_id = p.task_id and td.device_id = p.device_id returning ${returning})
    select (select count(*)::int from c) as looked, (select max(device_id::text) from c) as last, sent.* from (select 1) x left join sent on true`,
    [answerWithin(patience), ...candidates.values]);
  const sent = rows.filter((r): r is Sent & { looked: number; last: string | null } => typeof r.command_id === 'string');
  const last = 'taskId' in scope && rows[0]!.looked === limit ? rows[0]!.last : null;
  if (sent.length === 0) return { sent: 0, last };
  await emitCommands(companyId, sent);
  const tasks = [...Map.groupBy(sent, (r) => r.task_id)].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [taskId, of] of tasks) await addSums(taskId, moves(of.map(() => ({ from: 'wait', to: 'process' }))));
  await emitLive(companyId, 'task', tasks.map(([id]) => id), null);
  afterCommit(() => log.info({ point: 'queued', count: sent.length }, 'commands queued'));
  return { sent: sent.length, last };
}

/** The same command into a newer connection: the device answers a repeated id from memory and does it once (device-link.md). */
export async function resendCommands(companyId: string, deviceIds: readonly string[], patience: number): Promise<void> {
  const { rows } = await currentSql().query<Sent>(`
    with p as (
      select td.task_id, td.device_id, ${epochOf('td.device_id')} as epoch, t.action, t.params, t.traceparent, c.firmware, c.capabilities
      from task_device td join task t on t.id = td.task_id left join device_copy c on c.id = td.device_id
      where td.device_id = any($1::uuid[]) and td.status in ${inFlightSql} and td.expires_at > now() and ${epochOf('td.device_id')} > td.sent_epoch
      for update of td skip locked)
    update task_device td set sent_epoch = p.epoch, updated_at = now(), deadline_at = now() + make_interval(secs => ($2::jsonb ->> p.action)::float8 / 1000)
    from p where td.task_id = p.task_id and td.device_id = p.device_id
    returning ${returning}`, [deviceIds, answerWithin(patience)]);
  if (rows.length > 0) await emitCommands(companyId, rows);
}

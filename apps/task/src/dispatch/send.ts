import { actions } from '@carillon/actions';
import { linkCommand } from '@carillon/contracts';
import { emitMany } from '@carillon/messaging';
import { createLogger, span } from '@carillon/observability';
import { afterCommit, currentSql, iso } from '@carillon/persistence';
import { emitLive } from '@carillon/service';
import { addSums, moves } from '../task/task.sums.ts';
import { inFlight } from '../task/task.states.ts';

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

/**
 * Sends to online devices that have no changing command in flight, oldest task first. The row is marked and the command
 * leaves by the outbox in one transaction, so that neither can be without the other. Returns how many.
 */
export async function sendCommands(companyId: string, scope: { taskIds: readonly string[]; deviceIds: readonly string[] }, limit: number, patience: number): Promise<number> {
  const { rows } = await currentSql().query<Sent>(`
    with picked as (
      select td.task_id, td.device_id, s.epoch, t.action, t.params, t.traceparent, c.firmware, c.capabilities
      from task_device td join link_session s on s.device_id = td.device_id and s.online join task t on t.id = td.task_id left join device_copy c on c.id = td.device_id
      where td.status = 'wait' and td.expires_at > now() and (td.task_id = any($1::uuid[]) or td.device_id = any($2::uuid[]))
        and not exists (select 1 from task_device o where o.device_id = td.device_id and o.status = any($3::text[]))
        and not exists (select 1 from task_device o where o.device_id = td.device_id and o.status = 'wait' and o.task_id < td.task_id)
      order by td.task_id, td.device_id limit $4 for update of td skip locked)
    update task_device td set status = 'process', sent_at = now(), sent_epoch = p.epoch, updated_at = now(), deadline_at = now() + make_interval(secs => ($5::jsonb ->> p.action)::float8 / 1000)
    from picked p where td.task_id = p.task_id and td.device_id = p.device_id
    returning ${returning}`, [scope.taskIds, scope.deviceIds, inFlight, limit, answerWithin(patience)]);
  if (rows.length === 0) return 0;
  await emitCommands(companyId, rows);
  const tasks = [...Map.groupBy(rows, (r) => r.task_id)].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [taskId, of] of tasks) await addSums(taskId, moves(of.map(() => ({ from: 'wait', to: 'process' }))));
  await emitLive(companyId, 'task', tasks.map(([id]) => id), null);
  afterCommit(() => log.info({ point: 'queued', count: rows.length }, 'commands queued'));
  return rows.length;
}

/** The same command into a newer connection: the device answers a repeated id from memory and does it once (device-link.md). */
export async function resendCommands(companyId: string, deviceIds: readonly string[], patience: number): Promise<void> {
  const { rows } = await currentSql().query<Sent>(`
    with p as (
      select td.task_id, td.device_id, s.epoch, t.action, t.params, t.traceparent, c.firmware, c.capabilities
      from task_device td join link_session s on s.device_id = td.device_id and s.online and s.epoch > td.sent_epoch join task t on t.id = td.task_id left join device_copy c on c.id = td.device_id
      where td.device_id = any($1::uuid[]) and td.status = any($2::text[]) and td.expires_at > now() for update of td)
    update task_device td set sent_epoch = p.epoch, updated_at = now(), deadline_at = now() + make_interval(secs => ($3::jsonb ->> p.action)::float8 / 1000)
    from p where td.task_id = p.task_id and td.device_id = p.device_id
    returning ${returning}`, [deviceIds, inFlight, answerWithin(patience)]);
  if (rows.length > 0) await emitCommands(companyId, rows);
}

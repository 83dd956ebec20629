import { AsyncLocalStorage } from 'node:async_hooks';
import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { actions, retryClassOf, type ActionFile, type DeviceHello, type ReasonValues } from '@carillon/actions';
import { linkResult, phoneCodes, type Message, type RetryClass, type TaskStatus } from '@carillon/contracts';
import { On } from '@carillon/messaging';
import { createLogger, span } from '@carillon/observability';
import { afterCommit, column, columns, computed, preparedSql, type RowOf } from '@carillon/persistence';
import { CONFIG, emitLive } from '@carillon/service';
import type { taskConfig } from '../config.ts';
import { fileSql } from '../file/file.ts';
import { keepRestarts } from '../rollout/health.ts';
import { TaskDevice } from '../task/task.entity.ts';
import { publishEnded } from '../task/task-device.publisher.ts';
import { addSums, moves } from '../task/task.sums.ts';
import {
  answerEvents,
  inFlight,
  isFinal,
  next,
  statesOf,
  taskDeviceStates,
  type TaskDeviceEvent,
} from '../task/task.states.ts';
import { bySiteSql, inFlightSql, restarting } from './due.ts';
import { endRetries, nextTrySql, triedSql } from './retry.ts';
import { DispatchService } from './dispatch.service.ts';

const log = createLogger('task');

/** Value of `back` when the hello showed that the command is done. */
const done = 'done';

/**
 * A start before its command shows nothing about it. Allows for whole seconds of the device, and for the clocks of
 * gateway and database, ms.
 */
const clockSlackMs = 5_000;

/**
 * Codes of a device that waits for something that may take any time: the end of a call (TASK-11), or the next request
 * of a phone. The provisioning service ends what a phone does not do.
 */
const patientCodes = [
  'busy',
  ...[phoneCodes.telling, phoneCodes.waits, phoneCodes.told, phoneCodes.loading, phoneCodes.installing],
]
  .map((code) => `'${code}'`)
  .join(', ');

/** Order of answers; of two final ones, which are equal, the first counts. */
const ranks = { accept: 0, progress: 1, download: 2, succeed: 3, fail: 3 } as const;

/** The last answer of a device to one command in a batch. */
interface Answer {
  id: string;
  device: string;
  event: keyof typeof ranks;
  progress: number | null;
  code: string | null;
  message: string | null;
  /** Set when a retry may help. */
  kind: RetryClass | null;
  /** Values of the code. */
  values: ReasonValues | null;
  rank: number;
  /**
   * Epoch of the connection in which the device accepted the command: hellos of this or an earlier connection showed
   * something else before. An answer from an earlier connection may have waited at its gateway, and shows nothing about
   * that.
   */
  beginsIn: number | null;
}

/** Limits for the shown keys: their number and length. */
const shownRejected = { keys: 20, length: 64 };
/** Returns the keys that a device refused (docs/device-link.md, Down); null when it accepted all. */
function rejectedOf(data: unknown): ReasonValues | null {
  const { rejected } = (data ?? {}) as { rejected?: unknown };
  const keys = (Array.isArray(rejected) ? rejected : []).flatMap((one: { key?: unknown } | null) =>
    // Removes NUL and lone surrogates, which cannot be stored.
    typeof one?.key === 'string' ? [one.key.slice(0, shownRejected.length).replaceAll('\0', '').toWellFormed()] : [],
  );
  if (keys.length === 0) return null;
  const more = keys.length - shownRejected.keys;
  return { keys: [...keys.slice(0, shownRejected.keys), ...(more > 0 ? [`+${more}`] : [])].join(', ') };
}

/** The states table by answer: the next status for each status that an answer may find. */
const answerNext = Object.fromEntries(
  [...Object.values(answerEvents), 'restart' as const, 'retry' as const].map((event) => [
    event,
    Object.fromEntries(
      statesOf<TaskDeviceEvent>(taskDeviceStates, event).map((from) => [
        from,
        next<TaskDeviceEvent>(taskDeviceStates, from, event),
      ]),
    ),
  ]),
);
const finals = (Object.keys(taskDeviceStates) as TaskStatus[]).filter((status) => isFinal(taskDeviceStates, status));

/** SQL: whether answer `m` says that device `td` accepted the command after its hello. */
const beginsSql = '(coalesce(m."beginsIn" >= td.told_epoch, false))';

/**
 * SQL: the event of answer `m` for its device `td`: a device that must restart is done only when it is back, and one
 * with a remaining try for such a failure has not failed.
 */
const eventSql = `
  (case
    when m.event = 'fail' then case when ${nextTrySql('m.kind')} is null then 'fail' else 'retry' end
    when m.event <> 'succeed' or not td.goes_down then m.event
    when ${beginsSql} or td.back is null then 'restart'
    when td.back = '${done}' then m.event
    else 'fail'
  end)
`;

const changedRow = columns(TaskDevice, 'td', ['taskId', 'deviceId', 'commandId', 'companyId', 'orgId'], {
  was: column(TaskDevice, 'old', 'status'),
  is: column(TaskDevice, 'td', 'status'),
  /** Whether the task limits its concurrent devices, in total or per site. */
  isBounded: computed<boolean>(`(select t.sync > 0 or ${bySiteSql} from task t where t.id = td.task_id)`),
});

type Changed = RowOf<typeof changedRow>;

/** A device that received a restarting command and has come back. */
const toldRow = columns(TaskDevice, 'td', ['commandId', 'deviceId', 'status', 'code'], {
  answered: computed<boolean>('(td.accepted_at is not null)'),
  action: computed<string>('(select t.action from task t where t.id = td.task_id)'),
  traceparent: computed<string | null>('(select t.traceparent from task t where t.id = td.task_id)'),
  file: computed<ActionFile | null>(`(select ${fileSql('td.file_id')} from task t where t.id = td.task_id)`),
});

/** Logs the stored changes under the current trace. */
function traceResults(changed: readonly Changed[]): void {
  const inThisTrace = AsyncLocalStorage.snapshot();
  const ended = changed.filter((r) => !inFlight.includes(r.is)).length;
  afterCommit(() =>
    inThisTrace(() => {
      if (changed.length > ended)
        log.info({ point: 'acknowledged', count: changed.length - ended }, 'acceptances stored');
      if (ended > 0) log.info({ point: 'stored', count: ended }, 'results stored');
    }),
  );
}

/** Consumes the answers of devices, one statement per batch. */
@Controller()
export class ResultConsumer {
  constructor(
    private readonly dispatch: DispatchService,
    @Inject(CONFIG) private readonly config: z.output<typeof taskConfig>,
  ) {}

  /**
   * Stores answers and hellos in the order of each device: at most three statements for a batch, however they are
   * mixed.
   */
  @On(linkResult, ['result', 'back'])
  async result(messages: Message<typeof linkResult>[]): Promise<void> {
    const back = new Set<string>();
    const [before, behind]: Message<typeof linkResult>[][] = [[], []];
    for (const message of messages) {
      if (!message.data) continue;
      if ('boot' in message.data) back.add(message.data.deviceId);
      else (back.has(message.data.deviceId) ? behind : before)!.push(message);
    }
    const answered = before!.length > 0 ? await this.storeAnswers(before!) : [];
    const returned = back.size > 0 ? await this.storeReturns(messages) : [];
    const late = behind!.length > 0 ? await this.storeAnswers(behind!) : [];
    await this.settle([...answered, ...returned, ...late]);
  }

  private async storeAnswers(messages: readonly Message<typeof linkResult>[]): Promise<Changed[]> {
    const answers = new Map<string, Answer>();
    for (const { data } of messages) {
      if (!data || !('payload' in data)) continue;
      const { payload, deviceId, epoch } = data;
      const event = answerEvents[payload.status];
      // A device may only answer its own commands: the answer of another one with the same id is a separate entry.
      const key = `${deviceId} ${payload.id}`.toLowerCase();
      const values = event === 'succeed' ? rejectedOf(payload.data) : null;
      const seen = answers.get(key);
      // The first final answer counts; before it the furthest one.
      if (event === 'accept' && seen && seen.rank < 3) seen.beginsIn = Math.max(epoch, seen.beginsIn ?? 0);
      if (seen && (seen.rank === 3 || seen.rank > ranks[event])) continue;
      answers.set(key, {
        id: payload.id.toLowerCase(),
        device: deviceId.toLowerCase(),
        event,
        rank: ranks[event],
        beginsIn: event === 'accept' ? Math.max(epoch, seen?.beginsIn ?? 0) : (seen?.beginsIn ?? null),
        progress: payload.progress === undefined ? null : Math.round(payload.progress),
        code: payload.code ?? (values ? 'rejected' : null),
        kind: event === 'fail' ? retryClassOf(payload.code ?? null) : null,
        values,
        message: payload.message ?? null,
      });
    }
    // Finds rows only by the command's id: with the statistics of a fresh, empty table PostgreSQL would otherwise read
    // all rows of the task for each batch, through the join to the task or the status (docs/adr/0007). For the same
    // reason the event is compared with the known ones: PostgreSQL then expects few rows and uses the index for each.
    const changed: Changed[] = await preparedSql().rows(
      changedRow,
      `
        update task_device td
        set status = s.next -> ${eventSql} ->> td.status,
          progress = case when ${eventSql} <> 'retry' then coalesce(m.progress, td.progress) end,
          code = case ${eventSql}
            when 'restart' then '${restarting}' when 'fail' then coalesce(m.code, td.back)
            when 'retry' then null else m.code end,
          code_values = case when ${eventSql} <> 'retry' then coalesce(m.values, td.code_values) end,
          message = case when ${eventSql} <> 'retry' then left(m.message, 512) end,
          try_number = td.try_number + case when ${eventSql} = 'retry' then 1 else 0 end,
          not_before = case when ${eventSql} = 'retry' then ${nextTrySql('m.kind')} end,
          tried = case when ${eventSql} = 'retry' then ${triedSql('m.code', 'left(m.message, 512)', 'm.values')}
            else td.tried end,
          accepted_at = coalesce(td.accepted_at, now()), updated_at = now(),
          back = case when not ${beginsSql} then td.back end,
          ended_at = case when s.final ? (s.next -> ${eventSql} ->> td.status) then now() end,
          deadline_at = case
            when s.final ? (s.next -> ${eventSql} ->> td.status) or ${eventSql} = 'retry' then null
            when m.code in (${patientCodes}) then td.expires_at
            else now() + make_interval(
              secs => (s.done ->> (select t.action from task t where t.id = td.task_id))::float8 / 1000
            )
          end
        from jsonb_to_recordset($1::jsonb) as m(
          id uuid, device text, event text, progress int, code text, message text, kind text, values jsonb,
          "beginsIn" bigint
        ),
          (select $2::jsonb as next, $3::jsonb as final, $4::jsonb as done) s
        where td.command_id = m.id
          and td.device_id::text = m.device
          and s.next ? m.event
          and s.next -> ${eventSql} ? td.status
        returning ${changedRow}
      `,
      [
        JSON.stringify([...answers.values()]),
        JSON.stringify(answerNext),
        JSON.stringify(finals),
        JSON.stringify(
          Object.fromEntries(Object.values(actions).map((x) => [x.key, x.doneWithinMs * this.config.taskPatience])),
        ),
      ],
    );
    traceResults(changed);
    return changed;
  }

  /**
   * Stores what a restart shows about earlier commands: a device is done when it is back (docs/device-link.md, Down).
   */
  private async storeReturns(messages: readonly Message<typeof linkResult>[]): Promise<Changed[]> {
    const hellos = new Map<string, DeviceHello & { device: string; epoch: number; startedAt: number }>();
    const fallen = new Map<string, number>();
    for (const { data } of messages) {
      if (!data || !('boot' in data)) continue;
      const { deviceId: device, epoch, boot, firmware, receivedAt, uptime } = data;
      const startedAt = receivedAt - uptime * 1_000;
      // A restart by command is not a crash.
      if (boot === 'power') fallen.set(device, Math.max(fallen.get(device) ?? 0, startedAt));
      if (epoch >= (hellos.get(device)?.epoch ?? 0)) hellos.set(device, { device, epoch, boot, firmware, startedAt });
    }
    await keepRestarts(messages[0]!.companyId!, fallen);
    const starts = [...hellos.values()].map((h) => [h.device, [h.epoch, (h.startedAt + clockSlackMs) / 1_000]]);
    // Finds rows only by the devices: a fresh table has the statistics of an empty one (docs/adr/0007).
    const returned = await preparedSql().rows(
      toldRow,
      `
        select ${toldRow}
        from task_device td
        where td.device_id = any($1::uuid[])
          and (td.status || '' in ${inFlightSql} or (td.status || '' = 'wait' and td.try_number > 1))
          and td.goes_down
          and td.told_epoch < ($2::jsonb -> td.device_id::text ->> 0)::bigint
          and td.sent_at < to_timestamp(($2::jsonb -> td.device_id::text ->> 1)::float8)
        order by td.task_id, td.device_id
        for update of td
      `,
      [[...hellos.keys()], JSON.stringify(Object.fromEntries(starts))],
    );
    const shown = returned.flatMap((row) => {
      const showsTo = (said: boolean) =>
        actions[row.action]!.backWith!(hellos.get(row.deviceId)!, said, row.file ?? undefined);
      const shows = showsTo(row.code === restarting);
      // A device that crashed during the command may have done it, and will report success without another restart.
      if (shows === undefined)
        return row.answered && showsTo(true) === true ? [{ ...row, to: row.status, back: done, answered: false }] : [];
      // A waiting retry may turn out to be done; that it is not done, is known already.
      if (row.status === 'wait' && shows !== true) return [];
      const event: TaskDeviceEvent = shows === true ? 'succeed' : 'fail';
      const back = shows === true ? done : shows;
      // An unanswered command may not have begun: wait for its answer.
      const to = row.answered ? next<TaskDeviceEvent>(taskDeviceStates, row.status, event) : row.status;
      return [{ ...row, to, back }];
    });
    if (shown.length === 0) return [];
    const changed = await preparedSql().rows(
      changedRow,
      `
        update task_device td
        set status = x."to", back = x.back, updated_at = now(),
          told_epoch = case when x.answered then td.told_epoch else x.epoch end,
          code = case when x."to" = 'fail' then x.back when x.answered then null else td.code end,
          not_before = case when not x.answered then td.not_before end,
          ended_at = case when x.answered then now() end, deadline_at = case when not x.answered then td.deadline_at end
        from jsonb_to_recordset($1::jsonb) as x(
          id uuid, "to" text, back text, answered boolean, epoch bigint
        )
        where td.command_id = x.id
        returning ${changedRow}
      `,
      [
        JSON.stringify(
          shown.map(({ commandId: id, deviceId, to, back, answered }) => ({
            id,
            to,
            back,
            answered,
            epoch: hellos.get(deviceId)!.epoch,
          })),
        ),
      ],
    );
    // Each under the trace of its order, because a hello has no trace of a command.
    const traces = new Map(shown.map((row) => [row.commandId, row.traceparent]));
    const ended = changed.filter((row) => row.was !== row.is);
    for (const [traceparent, rows] of Map.groupBy(ended, (row) => traces.get(row.commandId)))
      await span('device back', traceparent ? { traceparent } : {}, () => traceResults(rows));
    return ended;
  }

  /** Updates the counts, publishes the changes, and continues what waited for them. */
  private async settle(changed: readonly Changed[]): Promise<void> {
    if (changed.length === 0) return;
    const companyId = changed[0]!.companyId;
    // Always in the same order, so that two batches never wait for each other.
    const tasks = [...Map.groupBy(changed, (r) => r.taskId)].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [taskId, rows] of tasks) {
      await addSums(taskId, moves(rows.map((r) => ({ orgId: r.orgId, from: r.was, to: r.is }))));
      if (rows.some((r) => r.is === 'wait')) await endRetries(taskId);
    }
    await emitLive(
      companyId,
      'task',
      tasks.map(([id]) => id),
      changed.map((r) => r.orgId),
    );
    const ended = changed.filter((r) => !inFlight.includes(r.is));
    await publishEnded(ended);
    const freed = ended.map((r) => r.deviceId);
    const goOn = [...new Set(ended.flatMap((r) => (r.isBounded ? r.taskId : [])))];
    afterCommit(() => {
      if (goOn.length > 0) this.dispatch.goOn(companyId, goOn);
      if (freed.length > 0) this.dispatch.sendTo(companyId, freed);
    });
  }
}

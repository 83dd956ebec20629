import { Controller, Inject } from '@nestjs/common';
import type { z } from 'zod';
import { actions } from '@carillon/actions';
import { linkResult, type Message, type TaskStatus } from '@carillon/contracts';
import { On } from '@carillon/messaging';
import { createLogger } from '@carillon/observability';
import { afterCommit, column, columns, currentSql } from '@carillon/persistence';
import { CONFIG, emitLive } from '@carillon/service';
import type { taskConfig } from '../config.ts';
import { TaskDevice } from '../task/task.entity.ts';
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
import { DispatchService } from './dispatch.service.ts';

const log = createLogger('task');

/** How far an answer is; two final ones are equal, and the first of them counts. */
const ranks = { accept: 0, progress: 1, download: 2, succeed: 3, fail: 3 } as const;

/** The last word of a device about one command in a batch. */
interface Answer {
  id: string;
  device: string;
  event: keyof typeof ranks;
  progress: number | null;
  code: string | null;
  message: string | null;
  rank: number;
}

/** The states table by what an answer means: what becomes of each status that it can find. */
const answerNext = Object.fromEntries(
  Object.values(answerEvents).map((event) => [
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

const changedRow = columns(TaskDevice, 'td', ['taskId', 'deviceId', 'companyId', 'orgId'], {
  was: column(TaskDevice, 'old', 'status'),
  is: column(TaskDevice, 'td', 'status'),
});

/** What devices answer, as one statement for a batch. */
@Controller()
export class ResultConsumer {
  constructor(
    private readonly dispatch: DispatchService,
    @Inject(CONFIG) private readonly config: z.output<typeof taskConfig>,
  ) {}

  @On(linkResult, ['result'])
  async result(messages: Message<typeof linkResult>[]): Promise<void> {
    const answers = new Map<string, Answer>();
    for (const { data } of messages) {
      if (!data) continue;
      const { payload, deviceId } = data;
      const event = answerEvents[payload.status];
      // A device speaks of its own commands alone: what another says of the same id must not stand in the way.
      const key = `${deviceId} ${payload.id}`.toLowerCase();
      const seen = answers.get(key);
      // The first final answer counts; before it the furthest.
      if (seen && (seen.rank === 3 || seen.rank > ranks[event])) continue;
      answers.set(key, {
        id: payload.id.toLowerCase(),
        device: deviceId.toLowerCase(),
        event,
        rank: ranks[event],
        progress: payload.progress === undefined ? null : Math.round(payload.progress),
        code: payload.code ?? null,
        message: payload.message ?? null,
      });
    }
    // By the command's id and nothing else that an index knows: a fresh table is planned by the statistics of an empty
    // one, and
    // a join to the task, or the status of what is in flight, had all of the task's rows read for each batch
    // (docs/adr/0007). For
    // the same reason it is asked whether the event is known: that lets PostgreSQL expect few, and go by the index for
    // each.
    const changed = await currentSql().rows(
      changedRow,
      `
        update task_device td
        set status = s.next -> m.event ->> td.status, progress = coalesce(m.progress, td.progress), code = m.code,
          message = left(m.message, 512), accepted_at = coalesce(td.accepted_at, now()), updated_at = now(),
          ended_at = case when s.final ? (s.next -> m.event ->> td.status) then now() end,
          deadline_at = case when s.final ? (s.next -> m.event ->> td.status) then null else now() + make_interval(
            secs => (s.done ->> (select t.action from task t where t.id = td.task_id))::float8 / 1000
          ) end
        from jsonb_to_recordset($1::jsonb) as m(
          id uuid, device text, event text, progress int, code text, message text
        ),
          (select $2::jsonb as next, $3::jsonb as final, $4::jsonb as done) s
        where td.command_id = m.id
          and td.device_id::text = m.device
          and s.next ? m.event
          and s.next -> m.event ? td.status
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
    if (changed.length === 0) return;
    const companyId = changed[0]!.companyId;
    // Always in the same order, so that two batches never wait for each other.
    const tasks = [...Map.groupBy(changed, (r) => r.taskId)].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [taskId, rows] of tasks)
      await addSums(taskId, moves(rows.map((r) => ({ orgId: r.orgId, from: r.was, to: r.is }))));
    await emitLive(
      companyId,
      'task',
      tasks.map(([id]) => id),
      changed.map((r) => r.orgId),
    );
    const freed = changed.filter((r) => !inFlight.includes(r.is)).map((r) => r.deviceId);
    afterCommit(() => {
      const accepted = changed.length - freed.length;
      if (accepted > 0) log.info({ point: 'acknowledged', count: accepted }, 'acceptances stored');
      if (freed.length > 0) log.info({ point: 'stored', count: freed.length }, 'results stored');
      if (freed.length > 0) this.dispatch.sendTo(companyId, freed);
    });
  }
}

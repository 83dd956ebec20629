import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { z } from 'zod';
import { actions, type ActionFile } from '@carillon/actions';
import { createLogger } from '@carillon/observability';
import {
  columns,
  computed,
  currentEntities,
  currentSql,
  Database,
  inCompany,
  parameters,
  platform,
  type RowOf,
} from '@carillon/persistence';
import { CONFIG, emitLive } from '@carillon/service';
import { asksAgain, beginsByPlan } from '../approval/approval.ts';
import type { BeginsRun } from '../approval/approval.entity.ts';
import { forgetAsked } from '../baseline/asked.ts';
import type { taskConfig } from '../config.ts';
import { DispatchService } from '../dispatch/dispatch.service.ts';
import { holdMoves } from '../dispatch/expand.ts';
import { targetSql } from '../dispatch/target.ts';
import { releaseFiles, publishFileUse } from '../file/file.publisher.ts';
import { orderedOrgIdsSql } from '../projections/creator.projection.ts';
import { DeviceCopy } from '../projections/device-copy.entity.ts';
import { openRuns, type NewRun } from '../run/run.ts';
import { Task } from '../task/task.entity.ts';
import { organizationsOf } from '../task/task.queries.ts';
import { notifyFailed } from '../task/task.sums.ts';
import { next, taskStates } from '../task/task.states.ts';
import { firingOf, livesOf, windowEnd } from './firing.ts';
import { lastClosing } from './site-window.ts';
import { siteZones, zonedFiringOf } from './site-zones.ts';

const log = createLogger('task');

/** Cause of a run, by the requested begin. */
const causes: Readonly<Record<BeginsRun, NewRun['cause']>> = {
  plan: 'schedule',
  now: 'runNow',
  rerunAll: 'rerun',
  rerunFailed: 'rerun',
};
/** A due time that passed without a run. */
interface Unused {
  taskId: string;
  next: string | null;
  nextLocal: string | null;
  missed: number;
  isOver: boolean;
}
/** What a run in one time zone has. */
const plain = { nextLocal: null, siteWindows: null };
/** Tasks that one transaction fires. */
const batch = 1_000;

const company = columns(Task, 't', ['companyId']);
const nearest = columns(Task, 't', [], {
  inMs: computed<number | null>('ceil(extract(epoch from min(t.due_at) - now()) * 1000)::float8'),
});
/** SQL: whether the creator `u` of a task still has the permissions for its order; false for an unknown one. */
const mayOrderSql = `coalesce(u.active and u.permissions ?& array['addTask', $2::jsonb ->> t.action], false)`;
const rights = JSON.stringify(Object.fromEntries(Object.values(actions).map(({ key, right }) => [key, right])));
const due = [
  'id',
  'action',
  'schedule',
  'timeZone',
  'inSiteZones',
  'dueLocal',
  'durationMinutes',
  'dueAt',
  'baselineId',
] as const;
const dueTask = columns(Task, 't', due, {
  /** Where it may still change devices; empty when its creator may no longer order it. */
  orgIds: computed<string>(`case when ${mayOrderSql} then ${orderedOrgIdsSql} else '' end`),
  open: computed<boolean>('(t.runs > 0 and t.ended_at is null)'),
  /** What begins, when approval was requested; null for a task that needs none. */
  begins: computed<BeginsRun | null>(`nullif(t.approval ->> 'begins', 'stage')`),
  isBound: computed<boolean>('(t.approval is not null or t.approval_from is not null)'),
  files: computed<ActionFile[] | null>(
    'coalesce(t.files, case when t.file is not null then jsonb_build_array(t.file) end)',
  ),
  now: computed<number>('(extract(epoch from now()) * 1000)::float8'),
});

const count = computed<number>('count(*)::int');
const unusedPart = columns(DeviceCopy, 'd', ['orgId'], { failed: count, total: count });

/**
 * Fires tasks at their due times, by the database's clock. A timer in this process waits for the nearest one; each tick
 * finds tasks that another process stored or left behind. A task is fired under its row lock, and a due time fires once
 * (unique in task_run), so that any number of processes may run this.
 */
@Injectable()
export class ScheduleService implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private lookAt = Infinity;
  private running: Promise<void> = Promise.resolve();
  private closed = false;

  constructor(
    private readonly database: Database,
    private readonly dispatch: DispatchService,
    @Inject(CONFIG) private readonly config: z.output<typeof taskConfig>,
  ) {}

  onApplicationBootstrap(): void {
    this.lookIn(0);
  }

  async onApplicationShutdown(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** Sets the timer for a task that is due at this time, unless an earlier one is set. */
  wake(at: Date): void {
    this.lookIn(at.getTime() - Date.now());
  }

  private lookIn(ms: number): void {
    const within = Math.min(Math.max(ms, 0), this.config.taskTickMs);
    const at = Date.now() + within;
    if (this.closed || at >= this.lookAt) return;
    this.lookAt = at;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.lookAt = Infinity;
      this.running = this.running.then(() => this.look());
    }, within);
  }

  private async look(): Promise<void> {
    let nextLook = Date.now() + this.config.taskTickMs;
    try {
      // One clock for both: a task that is not due yet is the nearest, or later.
      const { companies, inMs } = await platform(this.database, 'due tasks of all companies', async () => {
        const [row] = await currentSql().rows(nearest, `select ${nearest} from task t where t.due_at > now()`);
        return {
          companies: await currentSql().rows(company, `select distinct ${company} from task t where t.due_at <= now()`),
          inMs: row!.inMs,
        };
      });
      if (inMs !== null) nextLook = Date.now() + inMs;
      // Fires all first: creating rows takes longer, and continues in the background.
      const started: [string, string][] = [];
      for (const { companyId } of companies)
        for (let taken = batch; taken === batch && !this.closed;) {
          const fired = await this.fire(companyId);
          taken = fired.taken;
          for (const taskId of fired.started) started.push([companyId, taskId]);
        }
      for (const [companyId, taskId] of started) this.dispatch.startTask(companyId, taskId);
      if (started.length > 0) log.info({ point: 'fired', count: started.length }, 'tasks fired');
    } catch (err) {
      log.error({ err }, 'firing failed; the next look takes it up');
    }
    this.lookIn(nextLook - Date.now());
  }

  /** Fires some of a company's due tasks; returns how many it took, and which of them run. */
  private fire(companyId: string): Promise<{ taken: number; started: string[] }> {
    const work = async () => {
      // Blocks moves of devices to other organizations, which would change the last run's sums.
      await holdMoves('shared', companyId);
      const tasks = await currentSql().rows(
        dueTask,
        `
          select ${dueTask}
          from task t
          left join creator_copy u on u.id = t.creator_id
          where t.due_at <= now()
          order by t.due_at
          limit $1
          for update of t skip locked
        `,
        [batch, rights],
      );
      const { runs, unused } = await runsOf(companyId, tasks);
      await openRuns(runs);
      const begun = new Set(runs.map((r) => r.taskId));
      // The store checks the file of each run.
      for (const { id, action, files } of tasks)
        if (files && begun.has(id)) await publishFileUse(companyId, id, actions[action]!.file!, files, 'open');
      // The baseline's request was approved.
      for (const { id, baselineId } of tasks) if (baselineId !== null && begun.has(id)) await forgetAsked(baselineId);
      await passUnused(unused);
      await beginsByPlan(tasks.filter((t) => (t.begins ?? 'plan') !== 'plan').map((t) => t.id));
      for (const { taskId, isOver } of unused) if (isOver) await releaseFiles(companyId, taskId);
      const ids = tasks.map((t) => t.id);
      await emitLive(companyId, 'task', ids, await organizationsOf(ids));
      const baselineIds = tasks.flatMap((t) => t.baselineId ?? []);
      await emitLive(companyId, 'baseline', baselineIds, null);
      return { taken: tasks.length, started: runs.map((r) => r.taskId) };
    };
    return inCompany(this.database, companyId, work);
  }
}

/** Returns the runs of due tasks, and the tasks whose time has passed unused. A task that asks for approval has neither. */
async function runsOf(
  companyId: string,
  tasks: readonly RowOf<typeof dueTask>[],
): Promise<{ runs: NewRun[]; unused: Unused[] }> {
  const runs: NewRun[] = [];
  const unused: Unused[] = [];
  let zones: string[] | undefined;
  for (const task of tasks) {
    const action = actions[task.action]!;
    const [waitMs, livesMs] = [action.expiresAfterMs, livesOf(action)];
    const mayRun = task.orgIds !== '';
    const begins = task.begins ?? 'plan';
    const isByPlan = begins === 'plan';
    // A rerun has no further schedule.
    const schedule = causes[begins] === 'rerun' ? ({ type: 'now' } as const) : task.schedule;
    const at = { ...task, schedule, dueAt: new Date(task.dueAt!), waitMs, livesMs, mayRun, isByPlan };
    const now = new Date(task.now);
    const firing =
      task.inSiteZones && schedule.type !== 'now'
        ? zonedFiringOf(at, now, (zones ??= await siteZones()))
        : { ...plain, ...firingOf(at, now) };
    const { run, missed, next: after, nextLocal, siteWindows } = firing;
    const known = { taskId: task.id, next: after?.toISOString() ?? null, nextLocal, missed };
    if (!run) {
      const isOver = after === null && !task.open;
      unused.push({ ...known, isOver });
      if (!mayRun || isOver) await releaseUnused(companyId, task);
      continue;
    }
    const devices = begins === 'rerunFailed' ? 'failed' : 'all';
    // A repeating task that waits for approval has missed this time.
    const isMissed = task.schedule.type === 'cycle' && isByPlan;
    const asking = { devices, begins, missed: missed + (isMissed ? 1 : 0) } as const;
    if (task.isBound && (await asksAgain(companyId, task.id, asking))) continue;
    runs.push({
      ...known,
      cause: causes[begins],
      devices,
      dueAt: isByPlan ? run.toISOString() : null,
      siteWindows,
      windowEndsAt: siteWindows
        ? lastClosing(siteWindows)
        : (windowEnd(run, task.durationMinutes, after, livesMs)?.toISOString() ?? null),
      livesMs,
    });
  }
  return { runs, unused };
}

/**
 * Publishes the failure of a task whose devices were not started (TASK-09), also when its creator may no longer run it.
 */
async function releaseUnused(companyId: string, { id }: RowOf<typeof dueTask>): Promise<void> {
  const { target } = await currentEntities().findOneOrFail(Task, id, { fields: ['target'] });
  const { values, add } = parameters();
  // Only in the organizations that its order reached, not in others that it might match.
  const shared = `d.org_id in (select o.org_id from task_organization o where o.task_id = ${add(id)})`;
  const sql = `
    select ${unusedPart}
    from (${targetSql(target, add, [shared])}) d
    group by d.org_id
    order by d.org_id
  `;
  const parts = await currentSql().rows(unusedPart, sql, values);
  if (parts.length > 0) await notifyFailed(id, { companyId }, parts);
}

/** Sets the next due time; a task whose last time passed unused has timed out. */
async function passUnused(unused: readonly Unused[]): Promise<void> {
  if (unused.length === 0) return;
  await currentSql().query(
    `
      update task t
      set due_at = x.next, due_local = coalesce(x."nextLocal", t.due_local), missed = t.missed + x.missed,
        status = case when x."isOver" then $2 else t.status end,
        ended_at = case when x."isOver" then now() else t.ended_at end, expanded = t.expanded or x."isOver"
      from jsonb_to_recordset($1::jsonb) as x(
        "taskId" uuid, next timestamptz, "nextLocal" text, missed int, "isOver" boolean
      )
      where t.id = x."taskId"
    `,
    [JSON.stringify(unused), next(taskStates, 'wait', 'endTimeout')],
  );
}

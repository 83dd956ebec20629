import type { TaskRunRecord, TaskStatus } from '@carillon/contracts';
import { currentSql } from '@carillon/persistence';
import { forgetStages } from '../rollout/stage.ts';
import type { SiteWindow } from '../schedule/site-window.ts';

/** The next run of a locked task: its cause, devices and duration, and the schedule's next time. */
export interface NewRun {
  taskId: string;
  cause: TaskRunRecord['cause'];
  devices: 'all' | 'failed';
  /** The due time of the run; null for a manual one. */
  dueAt: string | null;
  /** When the task is due again. */
  next: string | null;
  /** The local minute of that time, for a task in the time zones of sites; absent: unchanged. */
  nextLocal?: string | null;
  /** Its windows in the time zones of sites; absent: it has one window. */
  siteWindows?: readonly SiteWindow[] | null;
  /** Due times that passed unused before it. */
  missed: number;
  windowEndsAt: string | null;
  /** Lifetime from now by the database's clock; null: limited by its window. */
  livesMs: number | null;
}

/**
 * Opens runs of tasks of one company: each begins like a new task with its sums at 0, and the previous sums are kept.
 * The expansion creates the rows. The caller sees all organizations and has locked the tasks.
 */
export async function openRuns(runs: readonly NewRun[]): Promise<void> {
  if (runs.length === 0) return;
  const ids = runs.map((r) => r.taskId);
  await currentSql().query(
    `
      insert into task_run_organization (
        task_id, run, org_id, company_id, total, success, fail, timeout, cancel, process, wait
      )
      select o.task_id, t.runs, o.org_id, o.company_id, o.total, o.success, o.fail, o.timeout, o.cancel,
        o.process, o.wait
      from task_organization o
      join task t on t.id = o.task_id
      where o.task_id = any($1::uuid[]) and t.runs > 0 and o.total > 0
    `,
    [ids],
  );
  const begun = 'wait' satisfies TaskStatus;
  await currentSql().query(
    `
      update task t
      set status = $2, runs = t.runs + 1, expanded = false, expanded_to = null, started_at = null, ended_at = null,
        total = 0, success = 0, fail = 0, timeout = 0, cancel = 0, process = 0, wait = 0,
        due_at = x.next, due_local = coalesce(x."nextLocal", t.due_local), site_windows = x."siteWindows",
        missed = t.missed + x.missed,
        window_ends_at = least(x."windowEndsAt", now() + make_interval(secs => x."livesMs" / 1000)),
        stage = case when x.devices = 'failed' then coalesce(jsonb_array_length(t.rollout -> 'stages'), 1) else 1 end,
        stage_cuts = null, stage_base = null, planned = null, paused_at = null, paused_for = null,
        health = null, next_stage_at = null
      from jsonb_to_recordset($1::jsonb) as x(
        "taskId" uuid, devices text, next timestamptz, "nextLocal" text, "siteWindows" jsonb, missed int,
        "windowEndsAt" timestamptz, "livesMs" float8
      )
      where t.id = x."taskId"
    `,
    [JSON.stringify(runs), begun],
  );
  // Rows stay, so that users who saw the task keep seeing it.
  await currentSql().query(
    `
      update task_organization
      set total = 0, success = 0, fail = 0, timeout = 0, cancel = 0, process = 0, wait = 0
      where task_id = any($1::uuid[]) and total > 0
    `,
    [ids],
  );
  // When the first zone moves by a whole day, the next minute comes at the due time of the run before.
  await currentSql().query(
    `
      insert into task_run (task_id, run, company_id, cause, devices, status, due_at, started_at)
      select t.id, t.runs, t.company_id, x.cause, x.devices, t.status,
        case when not exists (
          select 1 from task_run r where x."siteWindows" is not null and r.task_id = t.id and r.due_at = x."dueAt"
        ) then x."dueAt" end, now()
      from jsonb_to_recordset($1::jsonb) as x(
        "taskId" uuid, cause text, devices text, "dueAt" timestamptz, "siteWindows" jsonb
      )
      join task t on t.id = x."taskId"
    `,
    [JSON.stringify(runs)],
  );
  // The rest of the rate and the position of the pass belong to the previous run.
  await currentSql().query('delete from task_rate where task_id = any($1::uuid[])', [ids]);
  await forgetStages(ids);
}

/** Closes the active run with this status. */
export async function closeRun(taskId: string, status: TaskStatus): Promise<void> {
  await currentSql().query(
    'update task_run set status = $2, ended_at = now() where task_id = $1 and ended_at is null',
    [taskId, status],
  );
  await forgetStages([taskId]);
}

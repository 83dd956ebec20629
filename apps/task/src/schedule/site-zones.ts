import { isZone } from '@carillon/contracts/user-place';
import { columns, computed, currentSql, parameters } from '@carillon/persistence';
import { targetSql, type TaskTarget } from '../dispatch/target.ts';
import { SiteCopy } from '../projections/site-copy.entity.ts';
import { Task } from '../task/task.entity.ts';
import { firingOf, type Firing, type Timed } from './firing.ts';
import {
  calendarOf,
  clockOf,
  earliestOf,
  lastClosing,
  localMinuteOf,
  nextBegin,
  windowsOf,
  type SiteWindow,
} from './site-window.ts';

/** Tasks of a company that are rescheduled when the zones of its sites change. */
const mostTasks = 10_000;

const siteZone = columns(SiteCopy, 's', [], { zone: computed<string>('s.time_zone') });
const deviceZone = columns(SiteCopy, 's', [], {
  zone: computed<string>('x.zone'),
  devices: computed<number>('x.devices'),
});
const waiting = columns(Task, 't', ['id', 'timeZone', 'dueLocal', 'dueAt']);

/** Returns the zones of the company's sites. */
export async function siteZones(): Promise<string[]> {
  const rows = await currentSql().rows(
    siteZone,
    `select distinct ${siteZone} from site_copy s where s.time_zone is not null order by 1`,
  );
  return rows.map(({ zone }) => zone).filter(isZone);
}

/** Returns the zones of sites behind `own`: that of a task, for devices without one. */
const withOwn = (own: string, zones: readonly string[]): string[] => [own, ...zones.filter((zone) => zone !== own)];

/** Returns `own` and the zones of the company's sites. */
export const zonesOfCompany = async (own: string): Promise<string[]> => withOwn(own, await siteZones());

/** Returns the zones of a target's devices under further conditions, with the number of devices in each. */
export async function zonesOfTarget(
  target: TaskTarget,
  own: string,
  conditions: readonly string[] = [],
): Promise<{ zone: string; devices: number }[]> {
  const { values, add } = parameters();
  return currentSql().rows(
    deviceZone,
    `
      select ${deviceZone}
      from (
        select coalesce(s.time_zone, ${add(own)}) as zone, count(*)::int as devices
        from (${targetSql(target, add, conditions)}) d
        left join site_copy s on s.id = d.site_id
        group by 1
      ) x
      order by x.zone
    `,
    values,
  );
}

/**
 * Decides about a reached due time of a task in the time zones of sites, like {@link firingOf}. A run that a user
 * begins by hand starts at once everywhere, so it has no windows.
 */
export function zonedFiringOf(
  task: Timed & {
    dueAt: Date;
    dueLocal: string | null;
    open: boolean;
    mayRun: boolean;
    waitMs: number;
    isByPlan: boolean;
  },
  now: Date,
  ofSites: readonly string[],
): Firing & { nextLocal: string | null; siteWindows: SiteWindow[] | null } {
  const zones = withOwn(task.timeZone, ofSites);
  const minutes = task.durationMinutes ?? task.waitMs / 60_000;
  const begins = (calendar: Date): Date => earliestOf(localMinuteOf(calendar), zones);
  const windowsAt = (calendar: Date) => {
    const begin = localMinuteOf(calendar);
    return windowsOf(begin, zones, { minutes, next: nextBegin(task.schedule, begin, zones) });
  };
  const local = task.isByPlan ? task.dueLocal : null;
  const firing = firingOf({ ...task, dueAt: local === null ? clockOf(now, task.timeZone) : calendarOf(local) }, now, {
    begins,
    ends: (calendar) => new Date(lastClosing(windowsAt(calendar))),
  });
  return {
    // Minutes that have come in an earlier zone had their run.
    missed: firing.run && local === null ? 0 : firing.missed,
    run: firing.run && (local === null ? now : begins(firing.run)),
    next: firing.next && begins(firing.next),
    nextLocal: firing.next && localMinuteOf(firing.next),
    siteWindows: firing.run && local !== null ? windowsAt(firing.run) : null,
  };
}

/**
 * Moves waiting tasks to the time at which their local minute now first comes in a zone of the company. Locks the tasks
 * before it reads the zones, so that the last of several changes sees the zones of all, and a task that is being fired
 * is moved to its next time.
 */
export async function rescheduleZoned(): Promise<void> {
  const tasks = await currentSql().rows(
    waiting,
    `
      select ${waiting}
      from task t
      where t.in_site_zones and t.due_at is not null and t.due_local is not null
      order by t.id
      limit ${mostTasks}
      for update of t
    `,
  );
  if (tasks.length === 0) return;
  const ofSites = await siteZones();
  const moved: { id: string; dueAt: string }[] = [];
  for (const { id, timeZone, dueLocal, dueAt } of tasks) {
    const at = earliestOf(dueLocal!, withOwn(timeZone, ofSites)).toISOString();
    if (at !== dueAt) moved.push({ id, dueAt: at });
  }
  if (moved.length === 0) return;
  await currentSql().query(
    `
      update task t
      set due_at = x."dueAt"
      from jsonb_to_recordset($1::jsonb) as x(id uuid, "dueAt" timestamptz)
      where t.id = x.id
    `,
    [JSON.stringify(moved)],
  );
}

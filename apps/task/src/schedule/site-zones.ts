import { isZone } from '@carillon/contracts/user-place';
import { columns, computed, currentSql, holdLock, nilUuid, parameters } from '@carillon/persistence';
import { targetSql, type TaskTarget } from '../dispatch/target.ts';
import { SiteCopy } from '../projections/site-copy.entity.ts';
import { Task } from '../task/task.entity.ts';
import { firingOf, type Firing, type Timed } from './firing.ts';
import {
  calendarOf,
  clockOf,
  earliestOf,
  foremostOf,
  lastClosing,
  localMinuteOf,
  nextBegin,
  windowsOf,
  type SiteWindow,
} from './site-window.ts';

/** Tasks that are moved in one statement. */
const batch = 500;

const siteZone = columns(SiteCopy, 's', [], { zone: computed<string>('s.time_zone') });
const deviceZone = columns(SiteCopy, 's', [], {
  zone: computed<string>('x.zone'),
  devices: computed<number>('x.devices'),
});
const waiting = columns(Task, 't', ['id', 'timeZone', 'dueLocal', 'dueAt']);

/**
 * Orders changes of the zones of a company’s sites (`alone`) and orders of tasks that read them (`shared`): a new task is
 * either moved by a change, or sees it. Taken before any lock of a task.
 */
export const holdZones = (how: 'alone' | 'shared', companyId: string) => holdLock(`site zones ${companyId}`, how);

/** Returns the zones of the company's sites, without those of the sites `except`. */
export async function siteZones(except: readonly string[] = []): Promise<string[]> {
  const rows = await currentSql().rows(
    siteZone,
    `
      select distinct ${siteZone}
      from site_copy s
      where s.time_zone is not null and s.id <> all($1::uuid[])
      order by 1
    `,
    [except],
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
 * Moves the waiting tasks of a company whose sites `ids` had the zones `before` and now have `after`. Most changes move
 * no task, because another zone stays the first one of the company.
 */
export async function moveWithZones(
  companyId: string,
  ids: readonly string[],
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  await holdZones('alone', companyId);
  const others = await siteZones(ids);
  const [was, is] = [before, after].map((own) => foremostOf([...new Set([...others, ...own.filter(isZone)])]));
  if (was!.join(' ') !== is!.join(' ')) await rescheduleZoned(is!);
}

/**
 * Moves waiting tasks to the time at which their local minute now first comes in one of these zones or in their own. A
 * task that is being fired or approved is locked meanwhile, and is then moved from its next time.
 */
async function rescheduleZoned(ofSites: readonly string[]): Promise<void> {
  const known = new Map<string, string>();
  const beginOf = (local: string, own: string): string => {
    const key = `${local} ${own}`;
    const begin = known.get(key) ?? earliestOf(local, withOwn(own, ofSites)).toISOString();
    known.set(key, begin);
    return begin;
  };
  for (let last: string = nilUuid; ;) {
    const tasks = await currentSql().rows(
      waiting,
      `
        select ${waiting}
        from task t
        where t.in_site_zones and t.ended_at is null and t.due_local is not null and t.id > $1
        order by t.id
        limit ${batch}
        for update of t
      `,
      [last],
    );
    if (tasks.length === 0) return;
    last = tasks.at(-1)!.id;
    const moved = tasks.flatMap(({ id, timeZone, dueLocal, dueAt }) => {
      const begin = dueAt === null ? dueAt : beginOf(dueLocal!, timeZone);
      return begin === dueAt ? [] : [{ id, dueAt: begin }];
    });
    if (moved.length > 0) await store(moved);
  }
}

const store = (moved: readonly { id: string; dueAt: string | null }[]) =>
  currentSql().query(
    `
      update task t
      set due_at = x."dueAt"
      from jsonb_to_recordset($1::jsonb) as x(id uuid, "dueAt" timestamptz)
      where t.id = x.id
    `,
    [JSON.stringify(moved)],
  );

import { actions, type Action } from '@carillon/actions';
import type { addTask, RouteInput, TaskPreview } from '@carillon/contracts';
import { isZone, userPlace } from '@carillon/contracts/user-place';
import { failAt } from '@carillon/service';
import { context } from '@carillon/tenancy';
import type { TaskTarget } from '../dispatch/target.ts';
import { livesOf, windowEnd } from './firing.ts';
import { instantOf, lastTime, nextTimes } from './recurrence.ts';
import {
  clockOf,
  earliestOf,
  firstLocalMinute,
  lastClosing,
  localMinuteOf,
  nextBegin,
  nextLocalMinute,
  windowsOf,
} from './site-window.ts';
import { holdZones, zonesOfCompany, zonesOfTarget } from './site-zones.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

type Timed = Pick<
  RouteInput<typeof addTask>['body'],
  'schedule' | 'timeZone' | 'inSiteZones' | 'rollout' | 'durationMinutes'
>;

export interface Timing {
  timeZone: string;
  /** First due time; null: at once. */
  dueAt: Date | null;
  /** The local minute of that time, for a task in the time zones of sites. */
  dueLocal: string | null;
  /** First time in its own zone; null: at once. */
  beginAt: Date | null;
  /** Last time in its own zone. */
  endAt: Date | null;
}

const minuteNow = (): number => Math.floor(Date.now() / minuteMs) * minuteMs;

/** Returns when a task runs by its own time zone. */
export function timingOf({ schedule, timeZone: asked, inSiteZones, rollout }: Timed, action: Action): Timing {
  const { timezoneId, countryId } = context();
  const timeZone = asked ?? userPlace(timezoneId, countryId);
  if (!isZone(timeZone)) failAt('timeZone', 'common.fieldValue');
  if (inSiteZones && (schedule.type === 'now' || rollout || action.isMomentary))
    failAt('inSiteZones', 'task.siteZones');
  if (schedule.type === 'now') return { timeZone, dueAt: null, dueLocal: null, beginAt: null, endAt: null };
  if (instantOf(schedule.begin, timeZone).getTime() < minuteNow()) failAt('schedule.begin', 'task.startInPast');
  const [dueAt] = nextTimes(schedule, timeZone, new Date(minuteNow() - 1_000), 1);
  if (!dueAt) failAt('schedule', 'task.neverRuns');
  return { timeZone, dueAt, dueLocal: null, beginAt: dueAt, endAt: lastTime(schedule, timeZone) };
}

/** Returns when a task in the time zones of sites begins: when its first minute comes in the first zone of them. */
export async function zonedTiming(
  { schedule, inSiteZones }: Timed,
  timing: Timing,
  target: TaskTarget,
): Promise<Timing> {
  if (!inSiteZones || schedule.type === 'now') return timing;
  const { timeZone } = timing;
  await holdZones('shared', context().companyId);
  const dueLocal = firstLocalMinute(schedule) ?? failAt('schedule', 'task.neverRuns');
  for (const { zone } of await zonesOfTarget(target, timeZone))
    if (isZone(zone) && instantOf(dueLocal, zone).getTime() < minuteNow())
      failAt('schedule.begin', 'task.passedInZone', { zone });
  return { ...timing, dueLocal, dueAt: earliestOf(dueLocal, await zonesOfCompany(timeZone)) };
}

/**
 * Returns when an approved task in the time zones of sites begins: at its next minute, or while the windows of a single
 * one are open. When no time is left it begins at once, everywhere. `missed` counts the times that passed since the
 * request.
 */
export async function zonedStart(
  task: Pick<Timed, 'schedule' | 'durationMinutes'> & { timeZone: string; action: string },
  askedAt: Date,
  now: Date,
): Promise<{ dueAt: Date | null; dueLocal: string | null; missed: number }> {
  const { schedule, timeZone, durationMinutes } = task;
  const zones = await zonesOfCompany(timeZone);
  const minutes = durationMinutes ?? actions[task.action]!.expiresAfterMs / minuteMs;
  let missed = 0;
  // In some zone the local minute of the request was up to a day ago.
  const since = localMinuteOf(new Date(clockOf(askedAt, timeZone).getTime() - dayMs));
  for (let local = nextLocalMinute(schedule, since); local !== null; local = nextLocalMinute(schedule, local)) {
    const begin = earliestOf(local, zones);
    const isOpen =
      schedule.type === 'timer' && lastClosing(windowsOf(local, zones, { minutes, next: null })) > now.toISOString();
    if (begin > now || isOpen) return { dueAt: begin > now ? begin : now, dueLocal: local, missed };
    if (begin > askedAt) missed++;
  }
  return { dueAt: null, dueLocal: null, missed: Math.max(0, missed - 1) };
}

/** Returns the windows of a task's first run in the zones of its target. */
export async function windowsOfTarget(
  { schedule, durationMinutes }: Timed,
  { timeZone, dueLocal }: Timing,
  action: Action,
  target: TaskTarget,
): Promise<TaskPreview['windows']> {
  if (dueLocal === null) return [];
  const devices = new Map<string, number>();
  for (const siteZone of await zonesOfTarget(target, timeZone)) {
    const zone = isZone(siteZone.zone) ? siteZone.zone : timeZone;
    devices.set(zone, (devices.get(zone) ?? 0) + siteZone.devices);
  }
  const next = nextBegin(schedule, dueLocal, await zonesOfCompany(timeZone));
  const minutes = durationMinutes ?? action.expiresAfterMs / minuteMs;
  return windowsOf(dueLocal, [...devices.keys()], { minutes, next }).map((window) => ({
    ...window,
    devices: devices.get(window.zone)!,
  }));
}

/**
 * Returns a run that begins now. A momentary action lives from the user's click, however long the call was in transit.
 */
export const runOf = (taskId: string, action: Action, durationMinutes: number | null, next: string | null) => {
  const livesMs = livesOf(action);
  const begin = new Date(livesMs === null ? Date.now() : Math.min(Date.now(), context().askedAt ?? Infinity));
  const end = windowEnd(begin, durationMinutes, next === null ? null : new Date(next), livesMs);
  return {
    taskId,
    devices: 'all' as const,
    dueAt: null,
    next,
    missed: 0,
    windowEndsAt: end?.toISOString() ?? null,
    livesMs,
  };
};

import { z } from 'zod';
import { taskRollout } from './task-rollout.schemas.ts';

export const taskTypes = ['now', 'timer', 'cycle'] as const;
/** Repetition of a cycle; a month repeats by day or by an ordinal weekday. */
export const taskRepeats = ['day', 'week', 'monthDay', 'monthWeekday'] as const;
/** Ordinals of weekdays in a month; the last one is -1. */
export const ordinals = [1, 2, 3, 4, -1] as const;

/** A minute in the task's time zone, 'YYYY-MM-DDTHH:mm'. */
export const localMinute = z.iso
  .datetime({ local: true, precision: -1, error: 'common.fieldFormat' })
  // Without an offset: the zone defines it.
  .length(16, 'common.fieldFormat')
  // No sensible time is earlier or later; recurrence is not computed beyond, and PostgreSQL has no year 0.
  .refine((minute) => minute >= '1900' && minute < '3000', 'common.fieldValue');
/** 1 is Monday, 7 Sunday. */
const weekday = z.int().min(1).max(7);

export const taskRepeat = z.discriminatedUnion('every', [
  z.strictObject({ every: z.literal('day') }),
  z.strictObject({ every: z.literal('week'), weekdays: z.array(weekday).min(1, 'task.weekdayMissing').max(7) }),
  z.strictObject({ every: z.literal('monthDay'), day: z.int().min(1).max(31) }),
  z.strictObject({ every: z.literal('monthWeekday'), ordinal: z.literal(ordinals), weekday }),
]);
export type TaskRepeat = z.output<typeof taskRepeat>;

/**
 * When a task runs (TASK-01). `begin` is the earliest time; a cycle repeats at its time of day, until `end` inclusive.
 * A minute that a clock change skips runs at the next existing one, and one that occurs twice runs once; a month
 * without the day is skipped.
 */
export const taskSchedule = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('now') }),
  z.strictObject({ type: z.literal('timer'), begin: localMinute }),
  z.strictObject({
    type: z.literal('cycle'),
    begin: localMinute,
    end: localMinute.nullable().default(null),
    repeat: taskRepeat,
  }),
]);
export type TaskSchedule = z.output<typeof taskSchedule>;

const version = z
  .string()
  .trim()
  .regex(/^\d{1,9}(\.\d{1,9}){0,7}$/, 'common.fieldFormat');
/** Only devices whose firmware is in the range, both ends inclusive, compared by its numbers (TASK-05). */
export const versionRange = z
  .strictObject({ from: version, to: version })
  .refine((range) => range.from.at(-1) === range.to.at(-1), { message: 'task.versionRange', path: ['to'] });
export type VersionRange = z.output<typeof versionRange>;

/** A week. */
export const longestTaskMinutes = 10_080;
/** Failures that a retry may fix: the device was busy, a download or restart interrupted it, or it did not respond. */
export const retryClasses = ['busy', 'interrupted', 'timeout'] as const;
export type RetryClass = (typeof retryClasses)[number];
/** Longest wait between two tries, seconds. */
export const longestRetryWait = 3_600;

/**
 * A device that fails for one of these reasons is tried again, `tries` times in all. The first wait is `firstSeconds`,
 * and each further one twice as long, up to an hour. No try begins after the end of the window.
 */
export const taskRetry = z.strictObject({
  tries: z.int().min(2).max(10),
  of: z.array(z.enum(retryClasses)).min(1).max(retryClasses.length),
  firstSeconds: z.int().min(5).max(longestRetryWait),
});
export type TaskRetry = z.output<typeof taskRetry>;

/**
 * Pace of a task. A device counts for the site that it has when the run begins; devices without a site form one site.
 */
export const taskPace = z.strictObject({
  retry: taskRetry.nullable().default(null),
  /** Devices start spread over this many minutes from the start of the run or stage; 0: as soon as possible. */
  spreadMinutes: z.int().min(0).max(1_440).default(0),
  /** How many devices of a site run at once; 0 is unlimited. */
  siteSync: z.int().min(0).max(100_000).default(0),
  /** How many devices of a site are started per minute; 0 is unlimited. */
  sitePerMinute: z.int().min(0).max(600).default(0),
});
export type TaskPace = z.output<typeof taskPace>;

/** Settings of a task besides its action and devices. */
export const taskTiming = {
  schedule: taskSchedule,
  /** Time zone of `schedule` (IANA), such as 'Europe/Berlin'. */
  timeZone: z.string().min(1).max(64),
  /** Devices that have not run within this time time out (TASK-06); null: as long as the action lets a command wait. */
  durationMinutes: z.int().min(1).max(longestTaskMinutes).nullable(),
  /**
   * Each device runs at the local time of its site: its window opens at the minute of the schedule in the time zone of
   * the site, and ends after the duration. Devices without a site, or whose site has no time zone, use `timeZone`, in
   * which the days of the schedule are counted. Not for immediate tasks, doors and rollouts in stages.
   */
  inSiteZones: z.boolean().default(false),
  /** How many devices run at once; 0 is unlimited (TASK-09). */
  sync: z.int().min(0).max(100_000),
  versionRange: versionRange.nullable(),
  rollout: taskRollout.nullable(),
  /** Ignores freeze periods (TASK-12). */
  overrideFreeze: z.boolean(),
  /** Null: one try, as soon as possible, without site limits. */
  pace: taskPace.nullable(),
};

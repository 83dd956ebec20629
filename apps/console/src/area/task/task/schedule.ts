import type { TaskRecord, TaskRepeat, TaskSchedule, VersionRange } from '@carillon/contracts';
import { currentTag } from '../../../kit/browser/language.ts';
import { t } from '../../../kit/text/translate.ts';

export const repeats = ['day', 'week', 'monthDay', 'monthWeekday'] as const satisfies readonly TaskRepeat['every'][];
export const ordinals = [1, 2, 3, 4, -1] as const;
type Ordinal = (typeof ordinals)[number];
export const weekdays = [1, 2, 3, 4, 5, 6, 7] as const;

/** Returns the name of a weekday; 1 is Monday. */
export const weekdayName = (day: number, form: 'long' | 'short' = 'long'): string =>
  // The first of January 2024 was a Monday.
  new Intl.DateTimeFormat(currentTag(), { weekday: form, timeZone: 'UTC' }).format(Date.UTC(2024, 0, day));

/** Returns an ordinal in the form that precedes this weekday. */
export const ordinalName = (ordinal: Ordinal, weekday: number): string =>
  t(weekday > 5 ? `taskTime.weekendOrdinal.${ordinal}` : `taskTime.ordinal.${ordinal}`);

/** Returns `YYYY-MM-DD HH:mm` in local time of a zone. */
export function zoneMinute(at: string | number, zone: string): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(new Date(at));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((p) => p.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}`;
}

/** Returns a repetition in words, without its start: "Every month on the second Tuesday at 02:30". */
export function repeatWords(repeat: TaskRepeat, begin: string): string {
  const time = begin.slice(11, 16);
  switch (repeat.every) {
    case 'day':
      return t('taskTime.everyDay', { time });
    case 'week': {
      const days = new Intl.ListFormat(currentTag()).format(
        [...repeat.weekdays].sort((a, b) => a - b).map((day) => weekdayName(day)),
      );
      return t('taskTime.everyWeek', { days, time });
    }
    case 'monthDay':
      return t('taskTime.everyMonthDay', { day: repeat.day, time });
    case 'monthWeekday':
      return t('taskTime.everyMonthWeekday', {
        ordinal: ordinalName(repeat.ordinal, repeat.weekday),
        weekday: weekdayName(repeat.weekday),
        time,
      });
  }
}

/** Returns when a task runs, as a sentence. `inSiteZones`: by the local time of each site. */
export function scheduleWords(schedule: TaskSchedule, zone: string, inSiteZones = false): string {
  if (schedule.type === 'now') return t('taskType.now');
  const when = (minute: string) => minute.replace('T', ' ');
  const inZone = (what: string) => t(inSiteZones ? 'taskTime.inSiteZones' : 'taskTime.inZone', { what, zone });
  if (schedule.type === 'timer') return inZone(t('taskTime.once', { when: when(schedule.begin) }));
  const what = inZone(repeatWords(schedule.repeat, schedule.begin));
  const from = schedule.begin.slice(0, 10);
  return schedule.end
    ? t('taskTime.fromUntil', { what, from, until: when(schedule.end) })
    : t('taskTime.from', { what, from });
}

export const versionWords = (range: VersionRange | null): string | null =>
  range && t('taskTime.versions', { ...range });

/** Whether it waits for its time and no run is active. */
export const waitsForTime = (task: TaskRecord): boolean =>
  task.status === 'wait' && task.dueAt !== null && (task.runs === 0 || task.endedAt !== null);

import { ruleOf, type DateEdge, type DstRule, type DstRuleObject, type WeekdayEdge } from '@carillon/contracts/time';
import { currentTag } from '../../../kit/browser/language.ts';
import type { useText } from '../../../kit/text/use-text.ts';

type T = ReturnType<typeof useText>['t'];
type Edge = WeekdayEdge | DateEdge;

/** Returns names of months (1 to 12) and weekdays (0 is Sunday) in the page's language. */
export const monthName = (month: number) =>
  new Intl.DateTimeFormat(currentTag(), { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, month - 1, 1));
export const dayName = (day: number) =>
  new Intl.DateTimeFormat(currentTag(), { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, 1, 1 + (day % 7)));

/** A rule while it is edited: both forms (SHELL-19), with numbers for the start and the end. */
export interface RuleFields {
  kind: 'none' | 'weekday' | 'date';
  enabled: boolean;
  minutes: number;
  startMonth: number;
  startWeek: number;
  startDay: number;
  startHour: number;
  endMonth: number;
  endWeek: number;
  endDay: number;
  endHour: number;
}
const usual: RuleFields = {
  kind: 'none',
  enabled: true,
  minutes: 60,
  startMonth: 3,
  startWeek: 5,
  startDay: 0,
  startHour: 2,
  endMonth: 10,
  endWeek: 5,
  endDay: 0,
  endHour: 3,
};

export function fieldsOf(rule: DstRule | null): RuleFields {
  if (rule === null) return usual;
  if (typeof rule === 'object') return { ...usual, ...rule, kind: 'weekday', minutes: rule.offset };
  const read = ruleOf(rule);
  if (!read) return usual;
  const [s, e] = [read.start, read.end];
  return {
    ...usual,
    kind: 'week' in s ? 'weekday' : 'date',
    minutes: read.minutes,
    startMonth: s.month,
    startDay: s.day,
    startHour: s.hour,
    endMonth: e.month,
    endDay: e.day,
    endHour: e.hour,
    ...('week' in s && 'week' in e ? { startWeek: s.week, endWeek: e.week } : {}),
  };
}

/** Returns the stored form: weekdays as an object, fixed dates as text. */
export function ruleFrom(f: RuleFields): DstRuleObject | string | null {
  if (f.kind === 'none') return null;
  if (f.kind === 'date')
    return `0;${f.startMonth}/${f.startDay}/${f.startHour};${f.endMonth}/${f.endDay}/${f.endHour}${f.minutes === 60 ? '' : `;${f.minutes}`}`;
  const { startMonth, startWeek, startDay, startHour, endMonth, endWeek, endDay, endHour } = f;
  return {
    enabled: f.enabled,
    startMonth,
    startWeek,
    startDay: startDay % 7,
    startHour,
    endMonth,
    endWeek,
    endDay: endDay % 7,
    endHour,
    offset: f.minutes,
  };
}

function edgeWords(t: T, edge: Edge): string {
  const hour = String(edge.hour).padStart(2, '0');
  if ('week' in edge)
    return t('time.weekdayEdge', {
      week: t(`time.week.${edge.week as 1}`),
      day: dayName(edge.day),
      month: monthName(edge.month),
      hour,
    });
  return t('time.dateEdge', {
    date: new Intl.DateTimeFormat(currentTag(), { month: 'long', day: 'numeric', timeZone: 'UTC' }).format(
      Date.UTC(2028, edge.month - 1, edge.day),
    ),
    hour,
  });
}

/** Returns a rule in words. */
export function ruleWords(t: T, rule: DstRule | null): string {
  const read = ruleOf(typeof rule === 'object' && rule !== null ? { ...rule, enabled: true } : rule);
  if (!read) return t('time.none');
  const words = t('time.span', { start: edgeWords(t, read.start), end: edgeWords(t, read.end), minutes: read.minutes });
  return typeof rule === 'object' && rule !== null && !rule.enabled ? t('time.off', { rule: words }) : words;
}

import type { DeviceTarget, TaskRecord, TaskRepeat, TaskSchedule, TaskTemplateRecord } from '@carillon/contracts';
import { forms, pacing } from 'virtual:actions/forms';
import type { ListState } from '../../../kit/grid/search.ts';
import { filterOf } from '../../../kit/grid/search.ts';
import { paramsOf, valuesOf } from '../../task/action/action-param.tsx';
import { fileAction } from '../../task/action/file-action.ts';
import { noPace, paceDraft, readPace, type PaceDraft, type Pacing } from '../../task/pace/pace-fields.tsx';
import { noRollout, readRollout, rolloutDraft, type RolloutDraft } from '../../task/rollout/rollout-fields.tsx';
import type { Draft } from '../../task/action/draft.ts';
import type { Order } from './order.calls.ts';

export type Given = ListState<string>['filters'];

/** The form's values. Values that are hidden at the moment are kept for when they are needed again. */
export interface OrderValues extends RolloutDraft, PaceDraft {
  /** Absent for the default name from action and devices. */
  name: string | undefined;
  action: string;
  params: Record<string, unknown>;
  aim: 'chosen' | 'filter' | 'all';
  /** Device ids, for `chosen`. */
  ids: string[];
  given: Given;
  search: string;
  exclude: string[];
  type: TaskSchedule['type'];
  /** A local minute in the zone, in the format of its field. */
  begin: string;
  end: string;
  every: TaskRepeat['every'];
  weekdays: string[];
  day: number | string;
  ordinal: string;
  weekday: string;
  /** Empty for the user's own zone. */
  timeZone: string;
  inSiteZones: boolean;
  durationMinutes: number | string;
  sync: number | string;
  from: string;
  to: string;
  overrideFreeze: boolean;
}

const blank: OrderValues = {
  name: undefined,
  action: '',
  params: {},
  aim: 'filter',
  ids: [],
  given: {},
  search: '',
  exclude: [],
  type: 'now',
  begin: '',
  end: '',
  every: 'day',
  weekdays: [],
  day: 1,
  ordinal: '1',
  weekday: '1',
  timeZone: '',
  inSiteZones: false,
  durationMinutes: '',
  sync: 0,
  from: '',
  to: '',
  ...noRollout,
  ...noPace,
  overrideFreeze: false,
};

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [String(value)]);

/** Returns the form's values for a target. */
function aimed(target: DeviceTarget): Pick<OrderValues, 'aim' | 'ids' | 'given' | 'search' | 'exclude'> {
  if ('ids' in target) return { ...blank, aim: 'chosen', ids: target.ids };
  const { search = '', ...filter } = target.filter;
  const given: Given = Object.fromEntries(Object.entries(filter).map(([key, value]) => [key, texts(value)]));
  const aim = search === '' && Object.keys(given).length === 0 ? 'all' : 'filter';
  return { aim, ids: [], given, search, exclude: target.exclude ?? [] };
}
const pick = ({ aim, ids, given, search, exclude }: ReturnType<typeof aimed>) => ({ aim, ids, given, search, exclude });

export const valuesOfDraft = (draft: Draft): OrderValues => ({
  ...blank,
  action: draft.action,
  params: valuesOf(forms[draft.action] ?? [], draft.params),
  ...pick(aimed(draft.target)),
});

/** Returns values from a URL: an action, and its file. */
export function valuesOfAction(action: string | undefined, file: string | undefined): OrderValues {
  const fields = action === undefined ? undefined : forms[action];
  if (!fields) return blank;
  const field = fields.find(({ kind }) => kind === 'file');
  return { ...blank, action: action!, params: field && file !== undefined ? { [field.key]: file } : {} };
}

/** Returns values for a copy; its time is over, so it has to be chosen again. */
export function valuesOfTask(task: TaskRecord | TaskTemplateRecord, target: DeviceTarget | null): OrderValues {
  const { schedule } = task;
  const repeat = schedule.type === 'cycle' ? schedule.repeat : undefined;
  return {
    ...blank,
    // The product names the copy of a task that no user named.
    name: 'naming' in task && task.naming !== null ? undefined : task.name,
    action: task.action,
    params: valuesOf(forms[task.action] ?? [], task.params),
    ...(target ? pick(aimed(target)) : {}),
    type: schedule.type,
    begin: schedule.type === 'now' ? '' : schedule.begin,
    end: (schedule.type === 'cycle' && schedule.end) || '',
    ...(repeat ? { every: repeat.every } : {}),
    ...(repeat?.every === 'week' ? { weekdays: repeat.weekdays.map(String) } : {}),
    ...(repeat?.every === 'monthDay' ? { day: repeat.day } : {}),
    ...(repeat?.every === 'monthWeekday' ? { ordinal: String(repeat.ordinal), weekday: String(repeat.weekday) } : {}),
    timeZone: task.timeZone,
    inSiteZones: task.inSiteZones,
    durationMinutes: task.durationMinutes ?? '',
    sync: task.sync,
    from: task.versionRange?.from ?? '',
    to: task.versionRange?.to ?? '',
    ...rolloutDraft(task.rollout),
    ...paceDraft(task.pace),
    overrideFreeze: task.overrideFreeze,
  };
}

/** A template without devices keeps those that are chosen already. */
export const valuesOfTemplate = (template: TaskTemplateRecord, now: OrderValues): OrderValues => ({
  ...valuesOfTask(template, template.target),
  ...(template.target ? {} : pick(now)),
  name: undefined,
});

export const filterOfValues = ({ given, search }: Pick<OrderValues, 'given' | 'search'>) =>
  filterOf({ search: search.trim(), filters: given });

const targetOf = (v: OrderValues): DeviceTarget =>
  v.aim === 'chosen'
    ? { ids: v.ids }
    : {
        filter: (v.aim === 'all' ? {} : filterOfValues(v)) as Extract<DeviceTarget, { filter: unknown }>['filter'],
        ...(v.exclude.length > 0 ? { exclude: v.exclude } : {}),
      };

function repeatOf(v: OrderValues): TaskRepeat {
  switch (v.every) {
    case 'day':
      return { every: 'day' };
    case 'week':
      return { every: 'week', weekdays: v.weekdays.map(Number).sort((a, b) => a - b) };
    case 'monthDay':
      return { every: 'monthDay', day: Number(v.day) };
    case 'monthWeekday':
      return { every: 'monthWeekday', ordinal: Number(v.ordinal) as 1, weekday: Number(v.weekday) };
  }
}
export function scheduleOf(v: OrderValues): TaskSchedule {
  const minute = (text: string) => text.slice(0, 16);
  if (v.type === 'now') return { type: 'now' };
  if (v.type === 'timer') return { type: 'timer', begin: minute(v.begin) };
  return { type: 'cycle', begin: minute(v.begin), end: v.end === '' ? null : minute(v.end), repeat: repeatOf(v) };
}

/** Whether the effect of an action can be undone: only firmware. */
export const goesBack = (action: string): boolean => action === fileAction('firmware');

/** Returns how a task of an action may be paced; before an action is chosen, as for most. */
export const pacingOf = (action: string): Pacing => pacing[action] ?? { retries: true, spreads: true };

export const orderOf = (v: OrderValues, ownZone: string): Order => ({
  action: v.action,
  params: paramsOf(forms[v.action] ?? [], v.params),
  target: targetOf(v),
  schedule: scheduleOf(v),
  timeZone: v.timeZone || ownZone,
  inSiteZones: v.inSiteZones && v.type !== 'now',
  durationMinutes: v.durationMinutes === '' ? null : Number(v.durationMinutes),
  sync: Number(v.sync),
  rollout: readRollout({ ...v, rollback: v.rollback && goesBack(v.action) }).rollout,
  overrideFreeze: v.overrideFreeze,
  pace: readPace(v, pacingOf(v.action)),
  versionRange: v.from.trim() === '' && v.to.trim() === '' ? null : { from: v.from.trim(), to: v.to.trim() },
});

export const isVersion = (text: string): boolean => /^\d{1,9}(\.\d{1,9}){0,7}$/.test(text.trim());

import { useText } from '../../../kit/text/use-text.ts';
import { lackedFile } from '../../task/action/action-param.tsx';
import { readPace } from '../../task/pace/pace-fields.tsx';
import { readRollout } from '../../task/rollout/rollout-fields.tsx';
import { zoneMinute } from '../../task/task/schedule.ts';
import { filterOfValues, isVersion, pacingOf, type OrderValues } from './order-values.ts';

/** Returns the check of an order, with the error of each field. `name` is typed or suggested. */
export function useOrderCheck(
  values: OrderValues,
  { name, zone, fields }: { name: string; zone: string; fields: Parameters<typeof lackedFile>[0] },
) {
  const { t } = useText();
  return () => {
    const timed = values.type !== 'now';
    const cycle = values.type === 'cycle';
    const { from, to } = values;
    const range = from.trim() !== '' || to.trim() !== '';
    const { rollout, faults } = readRollout(values);
    const lacked = lackedFile(fields, values.params);
    const pace = readPace(values, pacingOf(values.action));
    const within = (n: number, least: number, most: number) => Number.isInteger(n) && n >= least && n <= most;
    const limit = values.durationMinutes === '' ? Infinity : Number(values.durationMinutes);
    const passed = values.begin !== '' && values.begin < zoneMinute(Date.now(), zone).replace(' ', 'T');
    return {
      ...(name.trim() === '' && values.action !== '' ? { name: t('taskOrder.nameMissing') } : {}),
      ...(values.action === '' ? { action: t('taskOrder.actionMissing') } : {}),
      ...(lacked === undefined ? {} : { params: lacked }),
      ...(values.aim === 'filter' && Object.keys(filterOfValues(values)).length === 0
        ? { given: t('taskOrder.conditionMissing') }
        : {}),
      ...(cycle && values.every === 'week' && values.weekdays.length === 0
        ? { weekdays: t('taskOrder.weekdayMissing') }
        : {}),
      ...(cycle && values.every === 'monthDay' && !(Number(values.day) >= 1 && Number(values.day) <= 31)
        ? { day: t('taskOrder.dayMissing') }
        : {}),
      ...(timed && values.begin === ''
        ? { begin: t('taskOrder.beginMissing') }
        : timed && passed
          ? { begin: t('taskOrder.inPast') }
          : {}),
      ...(timed && values.inSiteZones && values.inStages ? { inSiteZones: t('taskOrder.inSiteZonesStages') } : {}),
      ...(cycle && values.end !== '' && values.end < values.begin ? { end: t('taskOrder.endBefore') } : {}),
      ...(range && !isVersion(from) ? { from: t('taskOrder.versionFormat') } : {}),
      ...(range && !isVersion(to)
        ? { to: t('taskOrder.versionFormat') }
        : range && from.trim().at(-1) !== to.trim().at(-1)
          ? { to: t('taskOrder.versionDigit') }
          : {}),
      ...(rollout?.waitMinutes && rollout.waitMinutes * (rollout.stages.length - 1) >= limit
        ? { waitMinutes: t('rollout.waitMinutesLong') }
        : {}),
      ...(pace && pace.spreadMinutes >= limit ? { spreadMinutes: t('pace.spreadLong') } : {}),
      ...(pace?.retry && !within(pace.retry.tries, 2, 10) ? { tries: t('pace.triesWrong') } : {}),
      ...(pace?.retry && !within(pace.retry.firstSeconds, 5, 3_600)
        ? { firstSeconds: t('pace.firstSecondsWrong') }
        : {}),
      ...(pace?.retry && pace.retry.of.length === 0 ? { retryOf: t('pace.ofMissing') } : {}),
      ...Object.fromEntries(Object.entries(faults ?? {}).map(([field, text]) => [field, t(text)])),
    };
  };
}

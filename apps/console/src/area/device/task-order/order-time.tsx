import type { ReactNode } from 'react';
import { Checkbox, NumberInput, Select, TextInput } from '@mantine/core';
import { useText } from '../../../kit/text/use-text.ts';
import { ordinalName, ordinals, repeats, scheduleWords, weekdayName, weekdays } from '../../task/task/schedule.ts';
import { taskTypes } from '../../task/task/task.calls.ts';
import { scheduleOf, type OrderValues } from './order-values.ts';
import css from './order.module.css';

const capital = (text: string) => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** Asks for the time by its kind, and shows it as a sentence once it is complete. */
export function OrderTime({
  values,
  zone,
  set,
  fault,
}: {
  values: OrderValues;
  zone: string;
  set: (change: Partial<OrderValues>) => void;
  fault: (field: keyof OrderValues) => ReactNode;
}) {
  const { t } = useText();
  const { type, every } = values;
  const whole = values.begin !== '' && (every !== 'week' || type !== 'cycle' || values.weekdays.length > 0);
  return (
    <>
      <Select
        name="type"
        label={t('task.type')}
        data={taskTypes.map((value) => ({ value, label: t(`taskType.${value}`) }))}
        value={type}
        onChange={(v) => set({ type: (v ?? 'now') as OrderValues['type'] })}
        allowDeselect={false}
      />
      {type === 'cycle' && (
        <>
          <Select
            name="every"
            label={t('taskTime.repeat')}
            data={repeats.map((value) => ({ value, label: t(`taskTime.repeat.${value}`) }))}
            value={every}
            onChange={(v) => set({ every: (v ?? 'day') as OrderValues['every'] })}
            allowDeselect={false}
          />
          {every === 'week' && (
            <Checkbox.Group
              label={t('taskOrder.weekdays')}
              value={values.weekdays}
              onChange={(chosen) => set({ weekdays: chosen })}
              error={fault('weekdays')}
            >
              <div className={css.days}>
                {weekdays.map((day) => (
                  <Checkbox key={day} name="weekdays" value={String(day)} label={capital(weekdayName(day))} />
                ))}
              </div>
            </Checkbox.Group>
          )}
          {every === 'monthDay' && (
            <NumberInput
              name="day"
              label={t('taskOrder.day')}
              description={Number(values.day) > 28 ? t('taskOrder.dayHint') : undefined}
              min={1}
              max={31}
              allowDecimal={false}
              value={values.day}
              onChange={(day) => set({ day })}
              error={fault('day')}
            />
          )}
          {every === 'monthWeekday' && (
            <div className={css.pair}>
              <Select
                name="ordinal"
                label={t('taskOrder.ordinal')}
                data={ordinals.map((o) => ({
                  value: String(o),
                  label: capital(ordinalName(o, Number(values.weekday))),
                }))}
                value={values.ordinal}
                onChange={(ordinal) => set({ ordinal: ordinal ?? '1' })}
                allowDeselect={false}
              />
              <Select
                name="weekday"
                label={t('taskOrder.weekday')}
                data={weekdays.map((day) => ({ value: String(day), label: capital(weekdayName(day)) }))}
                value={values.weekday}
                onChange={(weekday) => set({ weekday: weekday ?? '1' })}
                allowDeselect={false}
              />
            </div>
          )}
        </>
      )}
      {type !== 'now' && (
        <>
          <div className={css.pair}>
            <TextInput
              name="begin"
              type="datetime-local"
              label={t(type === 'cycle' ? 'taskOrder.first' : 'taskOrder.at')}
              description={type === 'cycle' ? t('taskOrder.firstHint') : undefined}
              max="9999-12-31T23:59"
              value={values.begin}
              onChange={(e) => set({ begin: e.currentTarget.value.slice(0, 16) })}
              error={fault('begin')}
            />
            {type === 'cycle' && (
              <TextInput
                name="end"
                type="datetime-local"
                label={t('taskOrder.until')}
                description={'\u00a0'}
                max="9999-12-31T23:59"
                value={values.end}
                onChange={(e) => set({ end: e.currentTarget.value.slice(0, 16) })}
                error={fault('end')}
              />
            )}
          </div>
          <Select
            name="timeZone"
            label={t('taskTime.zone')}
            data={[...new Set([zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]}
            value={zone}
            onChange={(timeZone) => set({ timeZone: timeZone ?? '' })}
            error={fault('timeZone')}
            allowDeselect={false}
            searchable
            openOnFocus={false}
          />
          <Checkbox
            name="inSiteZones"
            label={t('taskOrder.inSiteZones')}
            description={t('taskOrder.inSiteZonesText')}
            checked={values.inSiteZones}
            onChange={(e) => set({ inSiteZones: e.currentTarget.checked })}
            error={fault('inSiteZones')}
          />
          {whole && (
            <p className={css.sentence} role="status">
              {scheduleWords(scheduleOf(values), zone, values.inSiteZones)}
            </p>
          )}
        </>
      )}
    </>
  );
}

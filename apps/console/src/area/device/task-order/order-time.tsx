import { Checkbox } from '@mantine/core';
import { CheckField, NumberField, SelectField, TextField, ZoneField } from '../../../kit/part/form-field.tsx';
import type { Form } from '../../../kit/part/use-form.tsx';
import { useText } from '../../../kit/text/use-text.ts';
import { ordinalName, ordinals, repeats, scheduleWords, weekdayName, weekdays } from '../../task/task/schedule.ts';
import { taskTypes } from '../../task/task/task.calls.ts';
import { scheduleOf, type OrderValues } from './order-values.ts';
import css from './order.module.css';

const capital = (text: string) => text.charAt(0).toLocaleUpperCase() + text.slice(1);

type TimeForm = Pick<Form<OrderValues>, 'values' | 'set' | 'fault'>;

/** Asks for the time by its kind, and shows it as a sentence once it is complete. */
export function OrderTime({ form, zone }: { form: TimeForm; zone: string }) {
  const { t } = useText();
  const { values } = form;
  const { type, every } = values;
  const whole = values.begin !== '' && (every !== 'week' || type !== 'cycle' || values.weekdays.length > 0);
  return (
    <>
      <SelectField
        form={form}
        name="type"
        label={t('task.type')}
        data={taskTypes.map((value) => ({ value, label: t(`taskType.${value}`) }))}
      />
      {type === 'cycle' && <RepeatFields form={form} />}
      {type !== 'now' && (
        <>
          <StartFields form={form} />
          <ZoneField
            form={{ ...form, values: { ...values, timeZone: zone } }}
            name="timeZone"
            label={t('taskTime.zone')}
          />
          <CheckField
            form={form}
            name="inSiteZones"
            label={t('taskOrder.inSiteZones')}
            description={t('taskOrder.inSiteZonesText')}
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

/** How often the task runs, and on which days. */
function RepeatFields({ form }: { form: TimeForm }) {
  const { t } = useText();
  const { values, set, fault } = form;
  const { every } = values;
  return (
    <>
      <SelectField
        form={form}
        name="every"
        label={t('taskTime.repeat')}
        data={repeats.map((value) => ({ value, label: t(`taskTime.repeat.${value}`) }))}
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
        <NumberField
          form={form}
          name="day"
          label={t('taskOrder.day')}
          description={Number(values.day) > 28 ? t('taskOrder.dayHint') : undefined}
          min={1}
          max={31}
        />
      )}
      {every === 'monthWeekday' && (
        <div className={css.pair}>
          <SelectField
            form={form}
            name="ordinal"
            label={t('taskOrder.ordinal')}
            data={ordinals.map((o) => ({ value: String(o), label: capital(ordinalName(o, Number(values.weekday))) }))}
          />
          <SelectField
            form={form}
            name="weekday"
            label={t('taskOrder.weekday')}
            data={weekdays.map((day) => ({ value: String(day), label: capital(weekdayName(day)) }))}
          />
        </div>
      )}
    </>
  );
}

/** When the task runs first, and until when it is repeated. */
function StartFields({ form }: { form: TimeForm }) {
  const { t } = useText();
  const isCycle = form.values.type === 'cycle';
  return (
    <div className={css.pair}>
      <TextField
        form={form}
        name="begin"
        type="datetime-local"
        label={t(isCycle ? 'taskOrder.first' : 'taskOrder.at')}
        description={isCycle ? t('taskOrder.firstHint') : undefined}
        max="9999-12-31T23:59"
        also={(begin) => ({ begin: begin.slice(0, 16) })}
      />
      {isCycle && (
        <TextField
          form={form}
          name="end"
          type="datetime-local"
          label={t('taskOrder.until')}
          description={'\u00a0'}
          max="9999-12-31T23:59"
          also={(end) => ({ end: end.slice(0, 16) })}
        />
      )}
    </div>
  );
}

import { Button, Checkbox, NumberInput, SegmentedControl, Select } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { CountryRecord } from '@carillon/contracts';
import { offsetName, type DstRule } from '@carillon/contracts/time';
import { done } from '../../../kit/part/done.ts';
import { FormDialog } from '../../../kit/part/form-dialog.tsx';
import { NumberField } from '../../../kit/part/form-field.tsx';
import { useForm } from '../../../kit/part/use-form.tsx';
import { call, remote } from '../../../kit/api/call.ts';
import { startClock } from '../../../kit/text/clock.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { dayName, fieldsOf, monthName, ruleFrom, type RuleFields } from './rule.ts';
import dialog from '../../../kit/part/dialog.module.css';
import css from './time-page.module.css';

const editCountry = remote('editCountryTime', 'PUT /api/f/license/time/country');
const resetCountry = remote('resetCountryTime', 'POST /api/f/license/time/country/reset');
const numbers = (from: number, to: number, label = String as (n: number) => string) =>
  Array.from({ length: to - from + 1 }, (_, i) => ({ value: String(from + i), label: label(from + i) }));
const utc = (instant: string) => instant.slice(0, 16).replace('T', ' ');

/** Edits the rule of a country in either form, with the tz database's rule beside it. */
export function CountryDialog({
  country,
  name,
  onClose,
}: {
  country: CountryRecord;
  name: string;
  onClose: () => void;
}) {
  const { t } = useText();
  const client = useQueryClient();
  const form = useForm({ offset: country.offset as number | string, rule: fieldsOf(country.rule as DstRule | null) });
  const { values, fault } = form;
  const { rule } = values;
  const setRule = (change: Partial<RuleFields>) => form.set({ rule: { ...rule, ...change } });
  const finish = async () => {
    await Promise.all([client.invalidateQueries({ queryKey: ['countryTime'] }), startClock()]);
    await done('saved', { name: country.countryName });
    onClose();
  };
  const save = async () => {
    await call(editCountry, {
      body: { countryId: country.countryId, offset: Number(values.offset), rule: ruleFrom(rule) },
    });
    await finish();
  };
  const reset = async () => {
    await call(resetCountry, { body: { countryId: country.countryId } });
    await finish();
  };
  const toKind = (kind: RuleFields['kind']) =>
    setRule({
      kind,
      ...(kind === 'date' && rule.startDay === 0 ? { startDay: 1, endDay: 1 } : {}),
      ...(kind === 'weekday' ? { startDay: rule.startDay % 7, endDay: rule.endDay % 7 } : {}),
    });
  return (
    <FormDialog
      title={t('time.editOne', { name })}
      size="lg"
      form={form}
      confirm={t('common.save')}
      aside={
        <Button
          variant="subtle"
          className={dialog.aside!}
          disabled={form.busy}
          onClick={() => void reset().catch(() => {})}
        >
          {t('time.reset')}
        </Button>
      }
      onSubmit={form.submit(() => ({}), save)}
      onClose={onClose}
    >
      {country.differences.length > 0 && <Differences differences={country.differences} />}
      <NumberField form={form} name="offset" label={t('time.offsetMinutes')} min={-720} max={840} data-autofocus />
      <SegmentedControl
        aria-label={t('time.kind')}
        data={(['none', 'weekday', 'date'] as const).map((value) => ({ value, label: t(`time.kind.${value}`) }))}
        value={rule.kind}
        onChange={(v) => toKind(v as RuleFields['kind'])}
      />
      {rule.kind !== 'none' && (
        <>
          <RuleEdge side="start" rule={rule} onRule={setRule} />
          <RuleEdge side="end" rule={rule} onRule={setRule} />
        </>
      )}
      {rule.kind !== 'none' && (
        <NumberInput
          name="minutes"
          label={t('time.minutes')}
          min={-120}
          max={120}
          value={rule.minutes}
          onChange={(v) => setRule({ minutes: Number(v) })}
        />
      )}
      {rule.kind === 'weekday' && (
        <Checkbox
          label={t('time.enabled')}
          checked={rule.enabled}
          onChange={(e) => setRule({ enabled: e.currentTarget.checked })}
        />
      )}
      {fault('rule') && <div role="alert">{fault('rule')}</div>}
    </FormDialog>
  );
}

/** When daylight saving time starts or ends: on a date, or on a weekday of a month. */
function RuleEdge({
  side,
  rule,
  onRule,
}: {
  side: 'start' | 'end';
  rule: RuleFields;
  onRule: (change: Partial<RuleFields>) => void;
}) {
  const { t } = useText();
  const pick = (field: 'Month' | 'Week' | 'Day' | 'Hour', label: string, data: { value: string; label: string }[]) => (
    <Select
      name={`${side}${field}`}
      label={label}
      data={data}
      value={String(rule[`${side}${field}`])}
      onChange={(v) => onRule({ [`${side}${field}`]: Number(v) })}
      allowDeselect={false}
    />
  );
  const byWeek = rule.kind === 'weekday';
  return (
    <fieldset className={`${css.edges} ${byWeek ? '' : css.dates}`}>
      <legend>{t(side === 'start' ? 'time.start' : 'time.end')}</legend>
      {pick('Month', t('time.month'), numbers(1, 12, monthName))}
      {byWeek &&
        pick(
          'Week',
          t('time.week'),
          numbers(1, 5, (n) => t(`time.week.${n as 1}`)),
        )}
      {byWeek ? pick('Day', t('time.weekday'), numbers(0, 6, dayName)) : pick('Day', t('time.day'), numbers(1, 31))}
      {pick('Hour', t('time.hour'), numbers(0, 24))}
    </fieldset>
  );
}

/** Where the rule and the tz database differ. */
function Differences({ differences }: { differences: CountryRecord['differences'] }) {
  const { t } = useText();
  return (
    <div className={css.differences} role="note">
      <strong>{t('time.differsTitle')}</strong>
      <ul>
        {differences.map((d) => (
          <li key={d.from}>
            {t('time.differs', {
              from: utc(d.from),
              to: utc(d.to),
              stored: offsetName(d.stored),
              database: offsetName(d.database),
            })}
          </li>
        ))}
      </ul>
    </div>
  );
}

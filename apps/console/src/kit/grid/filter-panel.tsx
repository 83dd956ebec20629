import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { Checkbox, Radio } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { readTime } from '@carillon/contracts/time';
import { userClock } from '../text/clock.ts';
import { count } from '../text/text.ts';
import { moment, zoneName } from '../text/time.ts';
import { useText } from '../text/use-text.ts';
import { operatorsOf, spans, valuesOf, type FilterOperator } from './filter.ts';
import type { AskedFilter, FilterOption } from './grid.types.ts';
import css from './filter-chip.module.css';
import bar from './toolbar.module.css';

/** Number of values from which a search field is shown. */
const searchFrom = 8;

interface BodyProps {
  options: readonly FilterOption[];
  values: readonly string[];
  onValues: (values: readonly string[]) => void;
}

/** Edits operator and values of a filter. Changes apply at once. */
export function FilterPanel<F extends string>({ filter, operator, filters, onFilters }: AskedFilter<F>) {
  const { t } = useText();
  const box = useRef<HTMLDivElement>(null);
  const values = valuesOf(filter.key, operator, filters);
  useEffect(() => {
    box.current?.querySelector<HTMLElement>('[data-autofocus], input, select')?.focus();
  }, [operator]);
  const body: BodyProps = { options: filter.options, values, onValues: (next) => onFilters(operator, next) };
  const choices = operatorsOf(filter).flatMap((o) => (o === 'empty' ? (['empty', 'notEmpty'] as const) : [o]));
  const current = operator === 'empty' && values[0] === 'false' ? 'notEmpty' : operator;
  return (
    <div ref={box} className={css.panel}>
      {choices.length > 1 && (
        <label className={css.operator}>
          <span className="hidden-text">{t('filter.operator')}</span>
          <select
            value={current}
            onChange={(e) => {
              const next = e.currentTarget.value as FilterOperator | 'notEmpty';
              if (next === 'empty' || next === 'notEmpty') onFilters('empty', [String(next === 'empty')]);
              else onFilters(next, carried(operator, next, values));
            }}
          >
            {choices.map((o) => (
              <option key={o} value={o}>
                {t(o === 'range' ? 'filter.ends' : `filter.${o}`)}
              </option>
            ))}
          </select>
        </label>
      )}
      {operator === 'within' ? (
        <Spans {...body} />
      ) : operator === 'range' ? (
        filter.kind === 'moment' ? (
          <Days {...body} />
        ) : (
          <Numbers {...body} />
        )
      ) : operator === 'empty' ? null : operator === 'contains' ||
        filter.kind === 'typed' ||
        (filter.kind === 'text' && filter.options.length === 0) ? (
        <Texts {...body} />
      ) : (
        <Choices {...body} />
      )}
    </div>
  );
}

/** Keeps the values when the other operator takes the same ones. */
const carried = (from: FilterOperator, to: FilterOperator, values: readonly string[]): readonly string[] =>
  [from, to].every((o) => o === 'is' || o === 'not') ? values : [];

/** Moves the focus between the search field and the values with the arrow keys. */
function moveFocus(e: KeyboardEvent<HTMLElement>): void {
  const step = e.key === 'ArrowDown' ? 1 : e.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  const all = [...e.currentTarget.querySelectorAll<HTMLElement>('input')];
  const next = all[all.indexOf(document.activeElement as HTMLElement) + step];
  if (next) {
    e.preventDefault();
    next.focus();
  }
}

function Choices({ options, values, onValues }: BodyProps) {
  const { t } = useText();
  const [text, setText] = useState('');
  const known: readonly FilterOption[] = [
    ...options,
    ...values.filter((v) => !options.some((o) => o.value === v)).map((v) => ({ value: v, label: v })),
  ];
  const wanted = text.trim().toLowerCase();
  const found = known.filter((o) => o.label.toLowerCase().includes(wanted));
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Hears the arrows of its fields.
    <div onKeyDown={moveFocus} className={css.body}>
      {known.length >= searchFrom && (
        <input
          data-autofocus
          type="text"
          inputMode="search"
          className={css.find}
          value={text}
          maxLength={128}
          placeholder={t('filter.findValue')}
          aria-label={t('filter.findValue')}
          autoComplete="off"
          spellCheck={false}
          onChange={(e) => setText(e.currentTarget.value)}
          onKeyDown={(e) => {
            if (e.key === 'Enter' && found.length === 1) toggle(found[0]!.value);
          }}
        />
      )}
      <div className={css.scroll}>
        {found.length === 0 && (
          <p className={bar.none}>{t(known.length === 0 ? 'filter.noValues' : 'filter.noValue')}</p>
        )}
        {found.map((o) => (
          <label key={o.value} className={bar.choice}>
            <Checkbox checked={values.includes(o.value)} onChange={() => toggle(o.value)} />
            {o.glyph}
            <span className="ellipsis" title={o.label}>
              {o.label}
            </span>
            {o.count !== undefined && <span className={bar.number}>{count(o.count)}</span>}
          </label>
        ))}
      </div>
    </div>
  );
  function toggle(value: string) {
    onValues(values.includes(value) ? values.filter((v) => v !== value) : [...values, value]);
  }
}

/** Edits typed texts, which are alternatives. */
function Texts({ values, onValues }: BodyProps) {
  const { t } = useText();
  const [text, setText] = useState('');
  return (
    <form
      className={css.body}
      onSubmit={(e) => {
        e.preventDefault();
        const value = text.trim();
        if (value !== '' && !values.includes(value)) onValues([...values, value]);
        setText('');
      }}
    >
      <div className={css.typed}>
        <input
          data-autofocus
          type="text"
          className={css.find}
          value={text}
          maxLength={128}
          placeholder={t('filter.typeValue')}
          aria-label={t('filter.typeValue')}
          autoComplete="off"
          spellCheck={false}
          onChange={(e) => setText(e.currentTarget.value)}
        />
        <button type="submit" className={css.apply} disabled={text.trim() === ''}>
          {t('filter.addValue')}
        </button>
      </div>
      {values.length > 0 && (
        <ul className={css.scroll}>
          {values.map((v) => (
            <li key={v} className={bar.choice}>
              <span className="ellipsis" title={v}>
                {v}
              </span>
              <button
                type="button"
                className={bar.x}
                aria-label={t('filter.removeValue', { name: v })}
                onClick={() => onValues(values.filter((o) => o !== v))}
              >
                <IconX size={14} stroke={1.75} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
    </form>
  );
}

function Spans({ values, onValues }: BodyProps) {
  const { t } = useText();
  return (
    <Radio.Group value={values[0] ?? ''} onChange={(v) => onValues([v])} aria-label={t('filter.within')}>
      {spans.map((span) => (
        <label key={span} className={bar.choice}>
          <Radio value={span} />
          <span>{t(`filter.span.${span}`)}</span>
        </label>
      ))}
    </Radio.Group>
  );
}

const dayMs = 86_400_000;
/** Returns the day in the user's zone; for an exclusive end the last included day. */
const dayOf = (instant: string, end: boolean): string =>
  instant === '' ? '' : moment(new Date(Date.parse(instant) - (end ? 1 : 0)).toISOString()).slice(0, 10);
function instantOf(day: string, end: boolean): string {
  const next = end ? new Date(Date.parse(`${day}T00:00:00Z`) + dayMs).toISOString().slice(0, 10) : day;
  const at = readTime(next, userClock());
  return at === undefined ? '' : new Date(at).toISOString();
}

/** Edits a range of days in the user's zone, both inclusive. */
function Days({ values: [from = '', to = ''], onValues }: BodyProps) {
  const { t } = useText();
  const set = (day: string, end: boolean) => {
    const at = day === '' ? '' : instantOf(day, end);
    if (day === '' || at !== '') onValues(end ? [from, at] : [at, to]);
  };
  return (
    <div className={css.ends}>
      <label>
        <span>{t('filter.from')}</span>
        <input
          data-autofocus
          type="date"
          min="1970-01-01"
          max={to === '' ? '9999-12-30' : dayOf(to, true)}
          value={dayOf(from, false)}
          onChange={(e) => set(e.currentTarget.value, false)}
        />
      </label>
      <label>
        <span>{t('filter.to')}</span>
        <input
          type="date"
          min={from === '' ? '1970-01-01' : dayOf(from, false)}
          max="9999-12-30"
          value={dayOf(to, true)}
          onChange={(e) => set(e.currentTarget.value, true)}
        />
      </label>
      <p>{t('filter.inZone', { zone: zoneName() })}</p>
    </div>
  );
}

function Numbers({ values: [from = '', to = ''], onValues }: BodyProps) {
  const { t } = useText();
  const whole = (text: string) => (/^-?\d{1,9}$/.test(text) ? text : '');
  return (
    <div className={css.ends}>
      <label>
        <span>{t('filter.from')}</span>
        <input
          data-autofocus
          type="number"
          value={from}
          onChange={(e) => onValues([whole(e.currentTarget.value), to])}
        />
      </label>
      <label>
        <span>{t('filter.to')}</span>
        <input type="number" value={to} onChange={(e) => onValues([from, whole(e.currentTarget.value)])} />
      </label>
    </div>
  );
}

import { Popover } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { Panel } from '../part/panel.tsx';
import { count } from '../text/text.ts';
import { moment } from '../text/time.ts';
import { useText } from '../text/use-text.ts';
import { FilterPanel } from './filter-panel.tsx';
import { valuesOf, type FilterOperator, type Span } from './filter.ts';
import type { AskedFilter, Filter } from './grid.types.ts';
import css from './filter-chip.module.css';
import bar from './toolbar.module.css';

/** Shows a filter in words: field, operator, value, ×. */
export default function FilterChip<F extends string>({
  opened,
  onOpened,
  ...asked
}: AskedFilter<F> & { opened: boolean; onOpened: (opened: boolean) => void }) {
  const { filter, operator, filters, onFilters } = asked;
  const { t } = useText();
  const values = valuesOf(filter.key, operator, filters);
  const value = shown(t, filter, operator, values);
  return (
    <Popover opened={opened} onChange={onOpened}>
      <div className={css.chip}>
        <Popover.Target>
          <button type="button" className={css.value} onClick={() => onOpened(!opened)}>
            <span className={css.part}>{filter.title}</span>
            <span className={css.part}>{operatorText(t, operator, values)}</span>
            {value !== undefined && (
              <span className={css.names} title={value}>
                {value}
              </span>
            )}
          </button>
        </Popover.Target>
        <button
          type="button"
          className={bar.x}
          aria-label={t('grid.removeFilter', { name: filter.title })}
          onClick={() => {
            onOpened(false);
            onFilters(operator, []);
          }}
        >
          <IconX size={14} stroke={1.75} aria-hidden />
        </button>
      </div>
      <Panel aria-label={filter.title} className={css.choices}>
        <FilterPanel {...asked} />
      </Panel>
    </Popover>
  );
}

type T = ReturnType<typeof useText>['t'];

function operatorText(t: T, operator: FilterOperator, values: readonly string[]): string {
  if (operator === 'empty') return t(values[0] === 'false' ? 'filter.notEmpty' : 'filter.empty');
  if (operator !== 'range') return t(`filter.${operator}`);
  const [from, to] = values;
  return t(from === '' && to !== '' ? 'filter.to' : to === '' && from !== '' ? 'filter.from' : 'filter.ends');
}

/** Returns the value as text; nothing when the operator is enough. */
function shown<F extends string>(
  t: T,
  filter: Filter<F>,
  operator: FilterOperator,
  values: readonly string[],
): string | undefined {
  if (operator === 'empty') return undefined;
  const names = values.flatMap((v, i) => {
    if (v === '') return [];
    return [operator === 'range' && filter.kind === 'moment' ? dayOf(v, i === 1) : nameOf(t, filter, operator, v)];
  });
  if (names.length === 0) return t('filter.anyValue');
  if (operator === 'range') return names.join(' – ');
  return names.length <= 2 ? names.join(', ') : t('filter.andMore', { first: names[0], count: names.length - 1 });
}

/** Shows midnight as a date: at the start that day, at the end the day before. */
function dayOf(instant: string, end: boolean): string {
  const text = moment(instant);
  if (!text.endsWith(' 00:00:00')) return text;
  return (end ? moment(new Date(Date.parse(instant) - 1).toISOString()) : text).slice(0, 10);
}

function nameOf<F extends string>(t: T, { kind, options }: Filter<F>, operator: FilterOperator, value: string): string {
  if (operator === 'within') return t(`filter.span.${value as Span}`);
  if (operator === 'contains') return t('filter.quoted', { text: value });
  if (kind === 'number') return count(Number(value));
  return options.find((o) => o.value === value)?.label ?? value;
}

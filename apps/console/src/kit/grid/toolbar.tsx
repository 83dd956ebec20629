import { lazy, useEffect, useEffectEvent, useRef, useState, type ReactNode, type RefObject } from 'react';
import { ActionIcon, Menu } from '@mantine/core';
import {
  IconBaselineDensityMedium,
  IconBaselineDensitySmall,
  IconPlus,
  IconRefresh,
  IconSearch,
  IconX,
} from '@tabler/icons-react';
import { Late } from '../part/late.tsx';
import { pageTexts } from '../text/text.ts';
import { useText } from '../text/use-text.ts';
import { ColumnChooser } from './column-chooser.tsx';
import { asked, firstOperator, withValues, type FilterOperator } from './filter.ts';
import type { AskedFilter, DataGridProps, Filter } from './grid.types.ts';
import type { Layout } from './layout.ts';
import type { ListState } from './search.ts';
import css from './toolbar.module.css';

const icon = { size: 15, stroke: 1.75, 'aria-hidden': true } as const;
const typingMs = 250;

/** Loaded with the first filter, and its words: a list without any does not carry them. */
const FilterChip = lazy(() => pageTexts().then(() => import('./filter-chip.tsx'))) as <F extends string>(
  props: AskedFilter<F> & { opened: boolean; onOpened: (opened: boolean) => void },
) => ReactNode;

interface Chip<F extends string> {
  filter: Filter<F>;
  operator: FilterOperator;
}

/** The filter that is open, `instead` of the same field by another operator until the address says so. */
interface Opened<F extends string> {
  key: F;
  operator: FilterOperator;
  instead?: FilterOperator;
}

/** Search, filter chips and what the list looks like. */
export function Toolbar<T extends { id: string }, F extends string>({
  state,
  onState,
  filters,
  query,
  searchLabel,
  field,
  layout,
  small,
}: DataGridProps<T, F> & { field: RefObject<HTMLInputElement | null>; layout: Layout<T>; small: boolean }) {
  const { t } = useText();
  const [opened, setOpened] = useState<Opened<F>>();
  const given: ListState<string>['filters'] = state.filters;
  const chips = filters.flatMap((filter): Chip<F>[] => {
    const operators = asked(filter, given).filter((o) => filter.key !== opened?.key || o !== opened.instead);
    const isNew = filter.key === opened?.key && !operators.includes(opened.operator);
    return [...operators, ...(isNew ? [opened.operator] : [])].map((operator) => ({ filter, operator }));
  });
  const absent = filters.filter((f) => !chips.some((c) => c.filter === f));
  const filtered = chips.length > 0 || state.search !== '';
  const set = ({ filter: { key }, operator }: Chip<F>, next: FilterOperator, values: readonly string[]) => {
    const others = next === operator ? given : withValues(given, key, operator, []);
    onState({ ...state, page: 1, filters: withValues(others, key, next, values) as ListState<F>['filters'] });
    if (next !== operator) setOpened({ key, operator: next, instead: operator });
  };
  return (
    <div className={css.bar} role="search">
      <div className={css.filters}>
        <SearchField
          value={state.search}
          label={searchLabel}
          field={field}
          onValue={(search) => onState({ ...state, search, page: 1 })}
        />
        <Late>
          {chips.map((chip) => (
            <FilterChip
              // One and the same while its operator changes, so that what is open stays so.
              key={`${chip.filter.key} ${chips.filter((c) => c.filter === chip.filter).indexOf(chip)}`}
              {...chip}
              filters={given}
              opened={opened?.key === chip.filter.key && opened.operator === chip.operator}
              onOpened={(o) => setOpened(o ? { key: chip.filter.key, operator: chip.operator } : undefined)}
              onFilters={(operator, values) => set(chip, operator, values)}
            />
          ))}
        </Late>
        {absent.length > 0 && (
          <Menu returnFocus={opened === undefined}>
            <Menu.Target>
              <button type="button" className={css.add}>
                <IconPlus {...icon} size={14} />
                {t('grid.addFilter')}
              </button>
            </Menu.Target>
            <Menu.Dropdown className={css.fields}>
              {absent.map((f) => (
                <Menu.Item key={f.key} onClick={() => setOpened({ key: f.key, operator: firstOperator(f) })}>
                  {f.title}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
        {filtered && (
          <button
            type="button"
            className={css.clear}
            onClick={() => {
              setOpened(undefined);
              onState({ ...state, search: '', page: 1, filters: {} });
            }}
          >
            {t('grid.clear')}
          </button>
        )}
      </div>
      {!small && (
        <div className={css.tools}>
          <ColumnChooser layout={layout} />
          <ActionIcon
            variant="subtle"
            size={28}
            aria-pressed={!layout.dense}
            aria-label={t(layout.dense ? 'grid.comfortable' : 'grid.compact')}
            title={t(layout.dense ? 'grid.comfortable' : 'grid.compact')}
            onClick={() => layout.setDense(!layout.dense)}
          >
            {layout.dense ? <IconBaselineDensityMedium {...icon} /> : <IconBaselineDensitySmall {...icon} />}
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            size={28}
            aria-label={t('grid.refresh')}
            title={t('grid.refresh')}
            onClick={() => void query.refetch()}
          >
            <IconRefresh {...icon} />
          </ActionIcon>
        </div>
      )}
    </div>
  );
}

/** Writes into the address once the typing rests. */
function SearchField({
  value,
  label,
  field,
  onValue,
}: {
  value: string;
  label: string;
  field: RefObject<HTMLInputElement | null>;
  onValue: (value: string) => void;
}) {
  const { t } = useText();
  const [text, setText] = useState(value);
  const told = useRef(value);
  useEffect(() => {
    if (value !== told.current) {
      told.current = value;
      setText(value);
    }
  }, [value]);
  const tell = useEffectEvent((value: string) => {
    told.current = value;
    onValue(value);
  });
  useEffect(() => {
    if (text === told.current) return;
    const timer = setTimeout(() => tell(text.trim()), typingMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div className={css.search}>
      <IconSearch {...icon} />
      <input
        ref={field}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        value={text}
        maxLength={128}
        placeholder={label}
        aria-label={label}
        aria-keyshortcuts="/"
        autoComplete="off"
        spellCheck={false}
        onChange={(e) => setText(e.currentTarget.value)}
        onKeyDown={(e) => {
          if (e.key === 'Escape') {
            e.stopPropagation();
            setText('');
            e.currentTarget.blur();
          }
        }}
      />
      {text !== '' && (
        <button type="button" className={css.x} aria-label={t('grid.clearSearch')} onClick={() => setText('')}>
          <IconX {...icon} size={14} />
        </button>
      )}
    </div>
  );
}

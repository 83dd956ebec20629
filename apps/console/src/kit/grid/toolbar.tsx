import { useEffect, useEffectEvent, useRef, useState, type ReactNode, type RefObject } from 'react';
import { ActionIcon } from '@mantine/core';
import {
  IconBaselineDensityMedium,
  IconBaselineDensitySmall,
  IconPlus,
  IconRefresh,
  IconSearch,
  IconX,
} from '@tabler/icons-react';
import { lazy } from '../part/lazy.tsx';
import { useText } from '../text/use-text.ts';
import { ColumnChooser } from './column-chooser.tsx';
import type { FilterBarProps } from './filter-bar.tsx';
import type { DataGridProps } from './grid.types.ts';
import type { Layout } from './layout.ts';
import type { ListState } from './search.ts';
import css from './toolbar.module.css';

const icon = { size: 15, stroke: 1.75, 'aria-hidden': true } as const;
const typingMs = 250;

/** Loaded with the first filter or on request, to keep lists without filters small. */
const FilterBar = lazy(() => import('./filter-bar.tsx')) as <F extends string>(
  props: FilterBarProps<F> & { meanwhile: ReactNode },
) => ReactNode;

/** Search, filter chips and layout of the list. */
export function Toolbar<T extends { id: string }, F extends string>({
  state,
  onState,
  filters,
  query,
  searchLabel,
  field,
  onFirstRow,
  layout,
  small,
}: DataGridProps<T, F> & {
  field: RefObject<HTMLInputElement | null>;
  onFirstRow: (search: string | undefined) => void;
  layout: Layout<T>;
  small: boolean;
}) {
  const { t } = useText();
  const [wanted, setWanted] = useState(false);
  const add = filters.length > 0 && (
    <button type="button" className={css.add} aria-haspopup="menu" onClick={() => setWanted(true)}>
      <IconPlus {...icon} size={14} />
      {t('grid.addFilter')}
    </button>
  );
  return (
    <div className={css.bar} role="search">
      <div className={css.filters}>
        <SearchField
          value={state.search}
          label={searchLabel}
          field={field}
          onValue={(search) => onState({ ...state, search, page: 1 })}
          onFirstRow={onFirstRow}
        />
        {wanted || state.search !== '' || Object.keys(state.filters).length > 0 ? (
          <FilterBar
            meanwhile={add}
            filters={filters}
            given={state.filters}
            onGiven={(given) => onState({ ...state, page: 1, filters: given as ListState<F>['filters'] })}
            clear={state.search === '' ? 'filtered' : 'shown'}
            onClear={() => onState({ ...state, search: '', page: 1, filters: {} })}
            choosing={wanted}
          />
        ) : (
          add
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

/** Writes to the address after a pause in typing. Enter and the down arrow lead to the first row at once. */
function SearchField({
  value,
  label,
  field,
  onValue,
  onFirstRow,
}: {
  value: string;
  label: string;
  field: RefObject<HTMLInputElement | null>;
  onValue: (value: string) => void;
  /** Focuses the first row of this search; with undefined no longer does. */
  onFirstRow: (search: string | undefined) => void;
}) {
  const { t } = useText();
  const [text, setText] = useState(value);
  const written = useRef(value);
  useEffect(() => {
    if (value !== written.current) {
      written.current = value;
      setText(value);
    }
  }, [value]);
  const write = (search: string) => {
    written.current = search;
    onValue(search);
  };
  const writeLater = useEffectEvent(write);
  useEffect(() => {
    if (text === written.current) return;
    const timer = setTimeout(() => writeLater(text.trim()), typingMs);
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
        onChange={(e) => {
          onFirstRow(undefined);
          setText(e.currentTarget.value);
        }}
        onKeyDown={(e) => {
          if (e.key === 'Enter' || e.key === 'ArrowDown') {
            e.preventDefault();
            const search = text.trim();
            if (search !== written.current) write(search);
            onFirstRow(search);
          }
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

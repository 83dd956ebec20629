import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import { ActionIcon, Checkbox, Menu, Popover } from '@mantine/core';
import {
  IconBaselineDensityMedium,
  IconBaselineDensitySmall,
  IconPlus,
  IconRefresh,
  IconSearch,
  IconX,
} from '@tabler/icons-react';
import { Panel } from '../part/panel.tsx';
import { useText } from '../text/use-text.ts';
import { count } from '../text/text.ts';
import { ColumnChooser } from './column-chooser.tsx';
import type { DataGridProps, Filter, FilterOption } from './grid.types.ts';
import type { Layout } from './layout.ts';
import type { ListState } from './search.ts';
import { ViewChooser } from './view-chooser.tsx';
import css from './toolbar.module.css';

const icon = { size: 15, stroke: 1.75, 'aria-hidden': true } as const;
const typingMs = 250;

/** Search, filter chips and what the list looks like. */
export function Toolbar<T extends { id: string }, F extends string>({
  name,
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
  const [opened, setOpened] = useState<F>();
  const set = (key: F, values: string[]) => {
    const { [key]: _, ...rest } = state.filters;
    onState({
      ...state,
      page: 1,
      filters: (values.length === 0 ? rest : { ...rest, [key]: values }) as ListState<F>['filters'],
    });
  };
  const active = filters.filter((f) => state.filters[f.key] !== undefined || f.key === opened);
  const absent = filters.filter((f) => !active.includes(f));
  const filtered = active.length > 0 || state.search !== '';
  return (
    <div className={css.bar} role="search">
      <div className={css.filters}>
        <SearchField
          value={state.search}
          label={searchLabel}
          field={field}
          onValue={(search) => onState({ ...state, search, page: 1 })}
        />
        {active.map((f) => (
          <Chip
            key={f.key}
            filter={f}
            values={state.filters[f.key] ?? []}
            opened={opened === f.key}
            onOpened={(o) => setOpened(o ? f.key : undefined)}
            onValues={(values) => set(f.key, values)}
          />
        ))}
        {absent.length > 0 && (
          <Menu>
            <Menu.Target>
              <button type="button" className={css.add}>
                <IconPlus {...icon} size={14} />
                {t('grid.addFilter')}
              </button>
            </Menu.Target>
            <Menu.Dropdown>
              {absent.map((f) => (
                <Menu.Item key={f.key} onClick={() => setOpened(f.key)}>
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
          <ViewChooser name={name} layout={layout} state={state} onState={onState} />
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

function Chip<F extends string>({
  filter,
  values,
  opened,
  onOpened,
  onValues,
}: {
  filter: Filter<F>;
  values: string[];
  opened: boolean;
  onOpened: (opened: boolean) => void;
  onValues: (values: string[]) => void;
}) {
  const { t } = useText();
  const names = values.map((v) => filter.options.find((o) => o.value === v)?.label ?? v);
  const known: FilterOption[] = [
    ...filter.options,
    ...values.filter((v) => !filter.options.some((o) => o.value === v)).map((v) => ({ value: v, label: v })),
  ];
  return (
    <Popover opened={opened} onChange={onOpened}>
      <div className={css.chip}>
        <Popover.Target>
          <button type="button" className={css.value} onClick={() => onOpened(!opened)}>
            <span className={css.part}>{filter.title}</span>
            <span className={css.part}>{t('grid.is')}</span>
            <span className={css.names}>
              {names.length === 0
                ? t('grid.anyValue')
                : names.length <= 2
                  ? names.join(', ')
                  : t('grid.andMore', { first: names[0], count: names.length - 1 })}
            </span>
          </button>
        </Popover.Target>
        <button
          type="button"
          className={css.x}
          aria-label={t('grid.removeFilter', { name: filter.title })}
          onClick={() => {
            onOpened(false);
            onValues([]);
          }}
        >
          <IconX {...icon} size={14} />
        </button>
      </div>
      <Panel aria-label={filter.title} className={css.choices}>
        {known.length === 0 && <p className={css.none}>{t('grid.noValues')}</p>}
        {known.map((o) => (
          <label key={o.value} className={css.choice}>
            <Checkbox
              checked={values.includes(o.value)}
              onChange={(e) =>
                onValues(e.currentTarget.checked ? [...values, o.value] : values.filter((v) => v !== o.value))
              }
            />
            {o.glyph}
            <span className="ellipsis">{o.label}</span>
            {o.count !== undefined && <span className={css.number}>{count(o.count)}</span>}
          </label>
        ))}
      </Panel>
    </Popover>
  );
}

import { useEffect, useState, type ReactNode } from 'react';
import { Menu } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { lazy } from '../part/lazy.tsx';
import { pageTexts } from '../text/text.ts';
import { useText } from '../text/use-text.ts';
import { asked, firstOperator, withValues, type FilterOperator } from './filter.ts';
import type { AskedFilter, Filter } from './grid.types.ts';
import type { ListState } from './search.ts';
import css from './toolbar.module.css';

/** Loaded with the first filter, with its texts, to keep lists without filters small. */
const FilterChip = lazy(() => pageTexts().then(() => import('./filter-chip.tsx'))) as <F extends string>(
  props: AskedFilter<F> & { opened: boolean; onOpened: (opened: boolean) => void },
) => ReactNode;

interface Chip<F extends string> {
  filter: Filter<F>;
  operator: FilterOperator;
}

/** The open filter; `instead` of another operator on the same field until the address changes. */
interface Opened<F extends string> {
  key: F;
  operator: FilterOperator;
  instead?: FilterOperator;
}

export interface FilterBarProps<F extends string> {
  filters: readonly Filter<F>[];
  given: ListState<string>['filters'];
  onGiven: (given: ListState<string>['filters']) => void;
  /** When the button that removes all is shown: always, or when there are filters. */
  clear?: 'shown' | 'filtered';
  onClear?: () => void;
  /** Opens with the fields to choose from. */
  choosing?: boolean;
  /** Label of the add button, when it is not a filter of a list. */
  add?: string;
  /** Called while a part is open, which Esc closes first. */
  onOpen?: (open: boolean) => void;
}

/** Shows each active filter as a chip, and adds further ones. */
export default function FilterBar<F extends string>({
  filters,
  given,
  onGiven,
  clear,
  onClear,
  choosing = false,
  add,
  onOpen,
}: FilterBarProps<F>) {
  const { t } = useText();
  const [menu, setMenu] = useState(choosing);
  const [opened, setOpened] = useState<Opened<F>>();
  const chips = filters.flatMap((filter): Chip<F>[] => {
    const operators = asked(filter, given).filter((o) => filter.key !== opened?.key || o !== opened.instead);
    const isNew = filter.key === opened?.key && !operators.includes(opened.operator);
    return [...operators, ...(isNew ? [opened.operator] : [])].map((operator) => ({ filter, operator }));
  });
  const absent = filters.filter((f) => !chips.some((c) => c.filter === f));
  const set = ({ filter: { key }, operator }: Chip<F>, next: FilterOperator, values: readonly string[]) => {
    const others = next === operator ? given : withValues(given, key, operator, []);
    onGiven(withValues(others, key, next, values));
    if (next !== operator) setOpened({ key, operator: next, instead: operator });
  };
  const open = menu || opened !== undefined;
  useEffect(() => onOpen?.(open), [open, onOpen]);
  return (
    <>
      {chips.map((chip) => (
        <FilterChip
          // Stable while its operator changes, so that an open chip stays open.
          key={`${chip.filter.key} ${chips.filter((c) => c.filter === chip.filter).indexOf(chip)}`}
          {...chip}
          filters={given}
          opened={opened?.key === chip.filter.key && opened.operator === chip.operator}
          onOpened={(o) => setOpened(o ? { key: chip.filter.key, operator: chip.operator } : undefined)}
          onFilters={(operator, values) => set(chip, operator, values)}
        />
      ))}
      {absent.length > 0 && (
        <Menu returnFocus={opened === undefined} opened={menu} onChange={setMenu}>
          <Menu.Target>
            <button type="button" className={css.add}>
              <IconPlus size={14} stroke={1.75} aria-hidden />
              {add ?? t('grid.addFilter')}
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
      {onClear && (clear === 'shown' || chips.length > 0) && (
        <button
          type="button"
          className={css.clear}
          onClick={() => {
            setOpened(undefined);
            onClear();
          }}
        >
          {t('grid.clear')}
        </button>
      )}
    </>
  );
}

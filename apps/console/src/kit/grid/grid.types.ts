import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Target } from './selection.ts';
import type { FilterField, FilterOperator } from './filter.ts';
import type { ListState } from './search.ts';

export interface Column<T> {
  key: string;
  title: string;
  /** Explains the header, for example with the zone of its times. */
  hint?: string;
  /** Minimum width in px; remaining space is shared in proportion. */
  width: number;
  sortable?: boolean;
  align?: 'end';
  render: (record: T) => ReactNode;
  /** Value whose changes are tinted while the page is open. */
  live?: (record: T) => unknown;
  /** Not part of an export. */
  unwritten?: true;
  /** Address of the record; one column of a list may have it. */
  link?: (record: T) => string;
  /** Hidden until chosen. */
  optional?: true;
  /** Cannot be hidden. */
  fixed?: true;
}

export interface FilterOption {
  value: string;
  label: string;
  count?: number;
  glyph?: ReactNode;
}
export interface Filter<F extends string> extends FilterField {
  key: F;
  title: string;
  options: readonly FilterOption[];
}

/** A filter with its current operator, and the handler of changes. */
export interface AskedFilter<F extends string> {
  filter: Filter<F>;
  operator: FilterOperator;
  filters: ListState<string>['filters'];
  onFilters: (operator: FilterOperator, values: readonly string[]) => void;
}

/** An action on selected records, or on one row. */
export interface GridAction<T> {
  key: string;
  label: string;
  icon: ReactNode;
  /** Runs for one record, from its row. */
  onOne: (record: T) => void;
  /** Only in the row's menu, because it cannot be undone. */
  menuOnly?: true;
  /** Only for a selection. */
  manyOnly?: true;
  /** Destructive: styled accordingly. */
  danger?: true;
  /** Records for which it is offered; absent: all. */
  when?: (record: T) => boolean;
  /** Runs for a selection; absent for single records only. */
  onMany?: (target: Target<unknown>, count: number) => void;
  /** Why it takes only named records of the current filter, as a sentence. */
  namedOnly?: string;
  /** Runs for named records only, when no call takes a filter. */
  onPage?: (ids: string[]) => void;
}

/** A record in a phone's list: two lines, with name and state first. */
export interface PhoneRow {
  title: string;
  sub: ReactNode;
  /** Text of `sub`, for when it is cut off. */
  subText?: string | undefined;
  state: ReactNode;
  extra: ReactNode;
}

export interface Page<T> {
  records: T[];
  total: number;
  current: number;
  size: number;
}

export interface DataGridProps<T extends { id: string }, F extends string> {
  /** Storage name for columns and density. */
  name: string;
  title: string;
  columns: readonly Column<T>[];
  phone: (record: T) => PhoneRow;
  /** Returns a record's name for labels. */
  label: (record: T) => string;
  query: UseQueryResult<Page<T>>;
  state: ListState<F>;
  onState: (next: ListState<F>) => void;
  filters: readonly Filter<F>[];
  searchLabel: string;
  /** Tables of one page, as tabs. */
  tabs?: readonly { key: string; label: string }[];
  tab?: string;
  onTab?: (key: string) => void;
  /** Long-running work on the list, below the toolbar. */
  strip?: ReactNode;
  /** Exports the filtered records. */
  onExport?: () => void;
  actions?: readonly GridAction<T>[];
  onOpen?: (record: T) => void;
  /** The record that is open beside the list. */
  openId?: string | undefined;
  /** The page's primary action, with its name for a phone. */
  primary?: ReactNode;
  empty: { icon: ReactNode; title: string; text: string; action?: ReactNode };
  noMatch: string;
  failure: string;
  /** Counts the records of another filter, for the tabs of saved views. */
  onCount?: (state: ListState<F>) => Promise<number>;
}

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
  /** Least width in px; what is left over is shared in proportion. */
  width: number;
  sortable?: boolean;
  align?: 'end';
  render: (record: T) => ReactNode;
  /** The value whose change while the page is open is tinted. */
  live?: (record: T) => unknown;
  /** Not in the file of the list. */
  unwritten?: true;
  /** Shown as a link to the record; one column of a list. */
  link?: (record: T) => string;
  /** Not shown until chosen. */
  optional?: true;
  /** Cannot be taken away. */
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

/** A filter as it asks now, and what is told when it asks otherwise. */
export interface AskedFilter<F extends string> {
  filter: Filter<F>;
  operator: FilterOperator;
  filters: ListState<string>['filters'];
  onFilters: (operator: FilterOperator, values: readonly string[]) => void;
}

/** What can be done with selected records, or with one from its row. */
export interface GridAction<T> {
  key: string;
  label: string;
  icon: ReactNode;
  /** Of one record, from the row. */
  onOne: (record: T) => void;
  /** In the row's menu, and not beside it: what is final is not one slip away. */
  menuOnly?: true;
  /** Of a selection, and not of a row. */
  manyOnly?: true;
  /** Takes something away: it looks so. */
  danger?: true;
  /** For which records it is offered; absent: for all. */
  when?: (record: T) => boolean;
  /** Of a selection; absent when it goes for single records only. */
  onMany?: (target: Target<unknown>, count: number) => void;
  /** Of named records only, where no call takes all that match. */
  onPage?: (ids: string[]) => void;
}

/** A record in a phone's list: two lines, the name and its state first. */
export interface PhoneRow {
  title: string;
  sub: ReactNode;
  /** What `sub` says, for where it does not fit. */
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
  /** Names what is stored: columns and density. */
  name: string;
  title: string;
  columns: readonly Column<T>[];
  phone: (record: T) => PhoneRow;
  /** How a record is called in labels. */
  label: (record: T) => string;
  query: UseQueryResult<Page<T>>;
  state: ListState<F>;
  onState: (next: ListState<F>) => void;
  filters: readonly Filter<F>[];
  searchLabel: string;
  /** Records are chosen one by one: no call takes all that match this filter. */
  pageOnly?: boolean;
  /** Tables of one page beside each other. */
  tabs?: readonly { key: string; label: string }[];
  tab?: string;
  onTab?: (key: string) => void;
  /** Under the toolbar: long work on the list. */
  strip?: ReactNode;
  /** Has what is filtered written into a file. */
  onExport?: () => void;
  actions?: readonly GridAction<T>[];
  onOpen?: (record: T) => void;
  /** The record that is open beside the list. */
  openId?: string | undefined;
  /** One primary action of the page, and its name for a phone. */
  primary?: ReactNode;
  empty: { icon: ReactNode; title: string; text: string; action?: ReactNode };
  noMatch: string;
  failure: string;
  /** How many records another filter matches, for the tabs of saved views. */
  onCount?: (of: ListState<F>) => Promise<number>;
}

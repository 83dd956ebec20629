import type { ReactElement, ReactNode } from 'react';
import type { RegisteredRouter, RouteIds } from '@tanstack/react-router';
import type { Icon } from '@tabler/icons-react';
import type {
  DeviceState,
  PermissionKey,
  RouteCall,
  RouteDefinition,
  RouteOutput,
  TaskStatus,
} from '@carillon/contracts';
import type { TextKey } from '../text/key.ts';
import type { FilterKind, formerSpans } from './filter.ts';
import type { FilterOption, Page, PhoneRow } from './grid.types.ts';
import type { FileService } from './list-file.calls.ts';
import type { queryOf } from './search.ts';
import type { Target } from './selection.ts';

/** A list call: it returns a page of records. */
export type ListRoute = RouteDefinition & { response: { _zod: { output: Page<{ id: string }> } } };
export type RecordOf<R extends ListRoute> = RouteOutput<R>['records'][number];
export type QueryOf<R extends ListRoute> = NonNullable<
  RouteCall<R> extends { query?: infer Q } ? Q : RouteCall<R> extends { query: infer Q } ? Q : never
>;
/** Columns by which the call sorts. */
type SortOf<R extends ListRoute> = Exclude<
  QueryOf<R> extends { sort?: infer S } ? Extract<S, string> : never,
  `-${string}`
>;

/** Type of a column, which determines rendering, alignment and export. */
type Content<T> =
  | { type: 'text' | 'code'; value: (record: T) => string | null | undefined }
  | { type: 'number'; value: (record: T) => number | null }
  /** An instant, shown in the user's zone. */
  | { type: 'moment'; value: (record: T) => string | null }
  /** One of a few labels. */
  | { type: 'word'; value: (record: T) => TextKey | null }
  | { type: 'names'; value: (record: T) => readonly string[] }
  | { type: 'state'; value: (record: T) => DeviceState | TaskStatus };

export type ListColumn<R extends ListRoute, T = RecordOf<R>> = Content<T> & {
  title: TextKey;
  width?: number;
  /** Custom rendering. */
  show?: (record: T) => ReactNode;
  /** Tinted when it changes while the page is open. */
  live?: true;
  /** Links to the record. */
  link?: (record: T) => string;
  /** Hidden until chosen. */
  optional?: boolean;
  /** Names the record: always visible. */
  fixed?: true;
  /**
   * Labels of its values in an export: the choices of this filter (by default the one with the same key), or these
   * texts.
   */
  words?: string | Readonly<Record<string, string>>;
  /** Not part of an export, because the service does not know it. */
  unwritten?: true;
  /** Position in a phone's row, whose first line is the record's name. */
  phone?: 'sub' | 'state' | 'extra';
} & ({ key: SortOf<R>; sort: true } | { key: string; sort?: never });

/** A filter, whose key is its parameter in the address. With `values` the address may hold no others. */
export interface ListFilter<T> {
  key: string;
  title: TextKey;
  /** Type of its field, which determines its operators; by default one of some values. */
  kind?: FilterKind;
  /** Records may have no value. */
  empties?: true;
  values?: readonly string[];
  word?: (value: never) => TextKey;
  glyph?: (value: never) => ReactNode;
  /** Number of records per value. */
  counts?: Readonly<Record<string, number>> | undefined;
  /** Known values to choose from, when they are not fixed. */
  options?: readonly FilterOption[] | ((shown: readonly T[]) => readonly FilterOption[]);
  /** Only offered when the address has it: another page links here with it. */
  hidden?: boolean;
}

/** An action that the user requested for a record or a selection. */
export interface Asked<T> {
  record: T | undefined;
  target: Target<never>;
  /** Named records: all of them, when the action takes only named ones. */
  ids: string[];
  count: number;
  /** Sort order of the list. */
  sort: { sort?: string };
  close: () => void;
  /** Removes records that no longer exist from the selection. */
  deselect: () => void;
}

export type ListAction<T> = {
  key: string;
  label: TextKey;
  icon: Icon | ReactElement;
  /** Required permission. */
  right?: PermissionKey;
  /** Only in the row's menu, because it cannot be undone. */
  menuOnly?: true;
  /** Only for a selection. */
  manyOnly?: true;
  /** Destructive: styled accordingly. */
  danger?: true;
  /** Records for which it is offered. */
  when?: (record: T) => boolean;
  /** Also for a selection: for all that match, or for named records when no call takes a filter. */
  many?: 'all' | 'named';
  /** Why an action for all that match takes only named records while the list has its current filter. */
  namedOnly?: TextKey | undefined;
} & (
  | { run: (asked: Asked<T>) => void }
  /** Shows a dialog first. */
  | { dialog: (asked: Asked<T>, current: (record: T) => T) => ReactNode }
);

export interface ListDeclaration<R extends ListRoute, T = RecordOf<R>> {
  /** Storage name of the list (columns, density, saved views), and the cache key that the live stream invalidates. */
  name: string;
  kind?: string;
  route: RouteIds<RegisteredRouter['routeTree']>;
  /** The list call. */
  list: R;
  /** Converts the query of the address to that of the call. */
  request?: (asked: ReturnType<typeof queryOf>) => QueryOf<R>;
  title: TextKey;
  icon: Icon;
  /** Prefix of its texts: `.search`, `.none`, `.noneText`, `.noMatch` and `.listFailed`. */
  texts: ListTexts;
  /** Title of the empty state, when it differs from the one of `texts`. */
  none?: TextKey;
  columns: readonly ListColumn<R>[];
  filters?: readonly ListFilter<T>[];
  /** Old spellings in addresses, as `parameter=value`. */
  former?: typeof formerSpans;
  /** Returns a record's name. */
  label: (record: T) => string;
  /** Overrides parts of a phone's row. */
  phone?: (record: T) => Partial<PhoneRow>;
  /** The primary action: adds a record on a page or in a dialog. */
  add?: { label: TextKey; right: PermissionKey } & ({ href: string } | { dialog: (close: () => void) => ReactNode });
  /** Edits the opened record, on a page or in a dialog. */
  edit?: { right: PermissionKey; when?: (record: T) => boolean } & (
    | { href: (record: T) => string }
    | { dialog: (record: T, close: () => void) => ReactNode }
  );
  actions?: readonly ListAction<T>[];
  /** Deletes the record, last in its menu. */
  remove?: { right: PermissionKey; when?: (record: T) => boolean; dialog: (record: T, close: () => void) => ReactNode };
  /** Shows an opened record beside the list, with its id in the address. */
  drawer?: {
    parameter: string;
    /** Additional content below the columns. */
    more?: (record: T) => ReactNode;
    /** Custom content; by default the record's columns and actions. */
    show?: (id: string, tools: { records: readonly T[]; close: () => void; deselect: () => void }) => ReactNode;
    /** Keeps an opened record when the list no longer contains it, in the state that it then has. */
    keep?: (record: T) => T;
    onOpen?: (record: T) => void;
  };
  /** Opens a record, when there is no drawer and no editing. */
  onOpen?: (record: T) => void;
  /** Replaces the add button. */
  primary?: ReactNode;
  /** Shown before the add button. */
  beside?: ReactNode;
  /** Shown in the empty state, when nothing can be added. */
  emptyAction?: ReactNode;
  /** Service that answers the list and exports it. */
  service: FileService;
  /** Permission to export; by default that of the list. */
  exportRight?: PermissionKey;
  /** Path of the export call, when it is not beside the list. */
  exportPath?: string;
  tabs?: { parameter: string; current: string; names: Readonly<Record<string, TextKey>> };
  /** Long-running work on the list, below the toolbar. */
  strip?: ReactNode;
}

/** A prefix that has all texts of a list; one that lacks any does not compile. */
type Beginning<End extends string> = TextKey extends infer K ? (K extends `${infer P}.${End}` ? P : never) : never;
export type ListTexts = Beginning<'search'> & Beginning<'noneText'> & Beginning<'noMatch'> & Beginning<'listFailed'>;

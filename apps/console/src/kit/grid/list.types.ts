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

/** A call that lists: it answers a page of records. */
export type ListRoute = RouteDefinition & { response: { _zod: { output: Page<{ id: string }> } } };
export type RecordOf<R extends ListRoute> = RouteOutput<R>['records'][number];
export type QueryOf<R extends ListRoute> = NonNullable<
  RouteCall<R> extends { query?: infer Q } ? Q : RouteCall<R> extends { query: infer Q } ? Q : never
>;
/** By what the call sorts. */
type SortOf<R extends ListRoute> = Exclude<
  QueryOf<R> extends { sort?: infer S } ? Extract<S, string> : never,
  `-${string}`
>;

/** What a column holds: how it is drawn, where it stands and how it is written into a file follow from this. */
type Content<T> =
  | { type: 'text' | 'code'; value: (record: T) => string | null | undefined }
  | { type: 'number'; value: (record: T) => number | null }
  /** An instant, in the user's zone. */
  | { type: 'moment'; value: (record: T) => string | null }
  /** One of a few words, which are texts. */
  | { type: 'word'; value: (record: T) => TextKey | null }
  | { type: 'names'; value: (record: T) => readonly string[] }
  | { type: 'state'; value: (record: T) => DeviceState | TaskStatus };

export type ListColumn<R extends ListRoute, T = RecordOf<R>> = Content<T> & {
  title: TextKey;
  width?: number;
  /** Drawn otherwise than its type is. */
  show?: (record: T) => ReactNode;
  /** Tinted when it changes while the page is open. */
  live?: true;
  /** Leads to the record. */
  link?: (record: T) => string;
  /** Not shown until chosen. */
  optional?: boolean;
  /** Names the record: it is always shown. */
  fixed?: true;
  /** What its values are called in the file: the choices of this filter, or of the one with its key; or these words. */
  words?: string | Readonly<Record<string, string>>;
  /** Not in the file: its service does not know it. */
  unwritten?: true;
  /** Where it stands in a phone's item, whose first line is the record's name. */
  phone?: 'sub' | 'state' | 'extra';
} & ({ key: SortOf<R>; sort: true } | { key: string; sort?: never });

/** A filter, which the address keeps by its key. With `values`, the address may hold no others. */
export interface ListFilter<T> {
  key: string;
  title: TextKey;
  /** What its field holds, and so its operators; one of some values when not said. */
  kind?: FilterKind;
  /** Records may have nothing there. */
  empties?: true;
  values?: readonly string[];
  word?: (value: never) => TextKey;
  glyph?: (value: never) => ReactNode;
  /** How many records each value has. */
  counts?: Readonly<Record<string, number>> | undefined;
  /** What is known to choose from, where values are not fixed. */
  options?: readonly FilterOption[] | ((shown: readonly T[]) => readonly FilterOption[]);
  /** Not offered unless the address has it already: another page leads here with it. */
  hidden?: boolean;
}

/** What somebody wants to do with a record, or with a selection. */
export interface Asked<T> {
  record: T | undefined;
  target: Target<never>;
  /** Those that are named: all of them, where an action goes for named ones only. */
  ids: string[];
  count: number;
  /** In which order the list stands. */
  sort: { sort?: string };
  close: () => void;
  /** The selected records are not there any more. */
  deselect: () => void;
}

export type ListAction<T> = {
  key: string;
  label: TextKey;
  icon: Icon | ReactElement;
  /** Shown to those only who have it. */
  right?: PermissionKey;
  /** In the row's menu, and not beside it: what is final is not one slip away. */
  menuOnly?: true;
  /** Of a selection, and not of a row. */
  manyOnly?: true;
  /** Takes something away: it looks so. */
  danger?: true;
  /** For which records it is offered. */
  when?: (record: T) => boolean;
  /** Also of a selection: of all that match, or of named records where no call takes a filter. */
  many?: 'all' | 'named';
} & (
  | { run: (asked: Asked<T>) => void }
  /** Asks, or shows, before anything is done. */
  | { dialog: (asked: Asked<T>, current: (record: T) => T) => ReactNode }
);

export interface ListDeclaration<R extends ListRoute, T = RecordOf<R>> {
  /** Names what is stored of the list (columns, density, saved views) and, in the cache, what the live stream renews. */
  name: string;
  kind?: string;
  route: RouteIds<RegisteredRouter['routeTree']>;
  /** The call that lists. */
  list: R;
  /** What the call is asked, where that is not what the address says. */
  request?: (asked: ReturnType<typeof queryOf>) => QueryOf<R>;
  title: TextKey;
  icon: Icon;
  /** Its texts begin with this: `.search`, `.none`, `.noneText`, `.noMatch` and `.listFailed`. */
  texts: ListTexts;
  /** The title of the empty state, where it is not the one of `texts`. */
  none?: TextKey;
  columns: readonly ListColumn<R>[];
  filters?: readonly ListFilter<T>[];
  /** What addresses of before said otherwise, as `parameter=value`. */
  former?: typeof formerSpans;
  /** How a record is called. */
  label: (record: T) => string;
  /** What a phone's item shows, where that is not what a column does. */
  phone?: (record: T) => Partial<PhoneRow>;
  /** The primary action: adds one by a page or in a dialog. */
  add?: { label: TextKey; right: PermissionKey } & ({ href: string } | { dialog: (close: () => void) => ReactNode });
  /** Changes the record that is opened, on a page or in a dialog. */
  edit?: { right: PermissionKey; when?: (record: T) => boolean } & (
    | { href: (record: T) => string }
    | { dialog: (record: T, close: () => void) => ReactNode }
  );
  actions?: readonly ListAction<T>[];
  /** Takes the record away, last in its menu. */
  remove?: { right: PermissionKey; when?: (record: T) => boolean; dialog: (record: T, close: () => void) => ReactNode };
  /** A record that is opened shows beside the list, and its id is in the address. */
  drawer?: {
    parameter: string;
    /** Behind what the columns hold, where that is what it shows. */
    more?: (record: T) => ReactNode;
    /** Absent: what the columns hold of the record, and what can be done with it. */
    show?: (id: string, tools: { records: readonly T[]; close: () => void; deselect: () => void }) => ReactNode;
  };
  /** What opening a record does, where it shows no drawer and is not edited. */
  onOpen?: (record: T) => void;
  /** In the place of the button that adds. */
  primary?: ReactNode;
  /** Before the button that adds. */
  beside?: ReactNode;
  /** In the empty state, where nothing can be added. */
  emptyAction?: ReactNode;
  /** Who answers the list and writes its file. */
  service: FileService;
  /** The right to take what matches out as a file; absent: whoever sees the list may. */
  exportRight?: PermissionKey;
  /** Where a file is ordered, when that is not beside the list. */
  exportPath?: string;
  tabs?: { parameter: string; current: string; names: Readonly<Record<string, TextKey>> };
  /** Records are selected one by one, whatever the actions take. */
  pageOnly?: boolean;
  /** Under the toolbar: long work on the list. */
  strip?: ReactNode;
}

/** A beginning that has all texts of a list; one that lacks any does not compile. */
type Beginning<End extends string> = TextKey extends infer K ? (K extends `${infer P}.${End}` ? P : never) : never;
export type ListTexts = Beginning<'search'> & Beginning<'noneText'> & Beginning<'noMatch'> & Beginning<'listFailed'>;

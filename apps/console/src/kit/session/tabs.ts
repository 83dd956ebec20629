import { useEffect, useSyncExternalStore } from 'react';
import { session } from './session.ts';
import { keep, recall } from '../browser/storage.ts';

/**
 * An open page (SHELL-09). `value` identifies it: its path and the parameters that
 * distinguish it. The home tab is first, fixed and not in the list.
 */
export interface Tab {
  /** Name of its object, or the key of its title. */
  label: string;
  value: string;
  /** The address at which it was left, with its filters. */
  href: string;
  params: Record<string, string>;
  query: Record<string, string | string[]>;
  /** `i18n`: the label is a key, so that the tab uses the current language. */
  meta: { keepAlive?: boolean; i18n?: string };
  /** Path of the menu entry that it belongs to. */
  group: string;
}

const user = (): string | undefined => session()?.userId;
/** Tabs belong to their user: the next user of this browser does not see them. */
let owner = user();
const load = (): readonly Tab[] =>
  owner !== undefined && recall('tabsOf', sessionStorage) === owner
    ? (recall<Tab[]>('tabs', sessionStorage) ?? []).filter(
        (t) => typeof t.value === 'string' && typeof t.href === 'string' && typeof t.meta === 'object',
      )
    : [];
let tabs = load();
/** Tab of the visible page. */
let shown = '';
const watchers = new Set<() => void>();
function set(next: readonly Tab[]): void {
  tabs = next;
  keep('tabs', next, sessionStorage);
  keep('tabsOf', owner, sessionStorage);
  watchers.forEach((w) => w());
}

/** Returns whether only one page is open at a time, without the tab bar (SHELL-12, single-mode flag). */
export const isSingle = () => recall('singleMode') === true;
export function setSingle(single: boolean): void {
  keep('singleMode', single || undefined);
  set(tabs.filter((t) => !single || t.href === location.pathname + location.search));
}

export const useTabs = () =>
  useSyncExternalStore(
    (w) => {
      watchers.add(w);
      return () => watchers.delete(w);
    },
    () => tabs,
  );
/** Returns the tab of an open page, with the address at which it was left. */
export const leftAt = (value: string): Tab | undefined => tabs.find((t) => t.value === value);

/** Names that pages gave their own tabs, even before the tab existed: a page is rendered before the frame updates. */
const names = new Map<string, string>();
const named = (tab: Tab, name: string): Tab => {
  const { i18n: _, ...meta } = tab.meta;
  return { ...tab, label: name, meta };
};

/**
 * Opens or updates a tab. An open page is not added twice; its address follows its filters. `byObject`: the tab has its
 * object's name.
 */
export function visit(tab: Tab, byObject = false): void {
  shown = tab.value;
  const now = user();
  if (now === undefined) return;
  if (now !== owner) {
    owner = now;
    names.clear();
    tabs = load();
  }
  const at = tabs.findIndex((t) => t.value === tab.value);
  const old = tabs[at];
  const name = names.get(tab.value) ?? (byObject && old?.meta.i18n === undefined ? old?.label : undefined);
  const next = name === undefined ? tab : named(tab, name);
  if (old === undefined) set(isSingle() ? [next] : [...tabs, next]);
  else if (JSON.stringify(old) !== JSON.stringify(next)) set(tabs.with(at, next));
}

/** Names a page's tab after its object. */
export function nameTab(value: string, label: string): void {
  names.set(value, label);
  const at = tabs.findIndex((t) => t.value === value);
  if (at !== -1 && tabs[at]!.label !== label) set(tabs.with(at, named(tabs[at]!, label)));
}

/** Closes a tab and returns the one to show instead: the previous one, or undefined for home, which is the first. */
export function closeTab(value: string): Tab | undefined {
  const at = tabs.findIndex((t) => t.value === value);
  const next = tabs[at - 1];
  set(tabs.filter((t) => t.value !== value));
  return next;
}

export const keepOnly = (value: string | undefined) => set(tabs.filter((t) => t.value === value));

/** Closes the tab of a finished form when its page is left. A new form there keeps it. */
export function useClosedWhenLeft(done: boolean): void {
  useEffect(() => {
    if (!done) return;
    const value = shown;
    const { href } = location;
    return () => {
      if (location.href !== href) closeTab(value);
    };
  }, [done]);
}

type Ask = () => Promise<boolean>;
const guards = new Set<Ask>();
/** Asks before the visible page is left; the returned function ends it. */
export function guardLeaving(ask: Ask): () => void {
  guards.add(ask);
  return () => {
    guards.delete(ask);
  };
}
/** Returns whether the visible page may be left; asks when input would be lost. */
export async function mayLeave(): Promise<boolean> {
  for (const ask of guards) if (!(await ask())) return false;
  return true;
}

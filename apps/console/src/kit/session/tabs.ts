import { useSyncExternalStore } from 'react';
import { keep, recall } from './storage.ts';

/**
 * A page that a person has open (spec, section 3, tag-list entry; SHELL-09). `value` is the page's identity: its path
 * and those parameters that make it another one. The home tab is first, fixed and not in the list.
 */
export interface Tab {
  label: string;
  value: string;
  /** Where it was left, with its filters. */
  href: string;
  params: Record<string, string>;
  query: Record<string, string | string[]>;
  meta: { keepAlive?: boolean };
  /** Path of the menu entry that it belongs to. */
  group: string;
}

let tabs: readonly Tab[] = (recall<Tab[]>('tabs', sessionStorage) ?? []).filter(
  (t) => typeof t.value === 'string' && typeof t.href === 'string',
);
const watchers = new Set<() => void>();
function set(next: readonly Tab[]): void {
  tabs = next;
  keep('tabs', next, sessionStorage);
  watchers.forEach((w) => w());
}

/** One page at a time instead of the tab bar (SHELL-12, single-mode flag). */
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
/** Where the page of a path was left, if it is open. */
export const leftAt = (value: string): Tab | undefined => tabs.find((t) => t.value === value);

/**
 * Names that pages gave their own tabs, also before the tab was there: a page is drawn before the frame hears of it.
 */
const names = new Map<string, string>();

/**
 * Opens or renews a tab. A page that is open is not added twice; its address follows its filters. `named`: it goes by
 * its object's name.
 */
export function visit(tab: Tab, named = false): void {
  const at = tabs.findIndex((t) => t.value === tab.value);
  const old = tabs[at];
  const label = names.get(tab.value) ?? (named && old !== undefined ? old.label : tab.label);
  const next = { ...tab, label };
  if (old === undefined) set(isSingle() ? [next] : [...tabs, next]);
  else if (JSON.stringify(old) !== JSON.stringify(next)) set(tabs.with(at, next));
}

/** Gives a page's tab its object's name. */
export function nameTab(value: string, label: string): void {
  names.set(value, label);
  const at = tabs.findIndex((t) => t.value === value);
  if (at !== -1 && tabs[at]!.label !== label) set(tabs.with(at, { ...tabs[at]!, label }));
}

/** Closes a tab and answers the one to show instead: the one before it, or none for home, which is the first. */
export function closeTab(value: string): Tab | undefined {
  const at = tabs.findIndex((t) => t.value === value);
  const next = tabs[at - 1];
  set(tabs.filter((t) => t.value !== value));
  return next;
}

export const keepOnly = (value: string | undefined) => set(tabs.filter((t) => t.value === value));

import { useSyncExternalStore } from 'react';
import { keep, recall } from '../session/storage.ts';

/** The pages a person has open, as the tab bar shows them (SHELL-09). The home tab is first, fixed and not in the list. */
export interface Tab { key: string; href: string; title: string }

let tabs: readonly Tab[] = recall<Tab[]>('tabs', sessionStorage) ?? [];
const watchers = new Set<() => void>();
function set(next: readonly Tab[]): void {
  tabs = next;
  keep('tabs', next, sessionStorage);
  watchers.forEach((w) => w());
}

export const useTabs = () => useSyncExternalStore((w) => { watchers.add(w); return () => watchers.delete(w); }, () => tabs);

/** Names that pages gave their own tabs, also before the tab was there: a page is drawn before the frame hears of it. */
const names = new Map<string, string>();

/** Opens or renews a tab. A page that is open is not added twice; its address follows its filters. `named`: it goes by its object's name. */
export function visit(tab: Tab, named = false): void {
  const at = tabs.findIndex((t) => t.key === tab.key);
  const old = tabs[at];
  const title = names.get(tab.key) ?? (named && old !== undefined ? old.title : tab.title);
  if (old === undefined) set([...tabs, { ...tab, title }]);
  else if (old.href !== tab.href || old.title !== title) set(tabs.with(at, { ...tab, title }));
}

/** Gives a page's tab its object's name. */
export function nameTab(key: string, title: string): void {
  names.set(key, title);
  const at = tabs.findIndex((t) => t.key === key);
  if (at !== -1 && tabs[at]!.title !== title) set(tabs.with(at, { ...tabs[at]!, title }));
}

/** Closes a tab and answers the one to show instead: the one before it, or none for home. */
export function closeTab(key: string): Tab | undefined {
  const at = tabs.findIndex((t) => t.key === key);
  const next = tabs[at - 1];
  set(tabs.filter((t) => t.key !== key));
  return next;
}

export const keepOnly = (key: string | undefined) => set(tabs.filter((t) => t.key === key));

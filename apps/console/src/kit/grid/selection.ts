/**
 * The selection of a list over all its pages: named records, or all that match except some. The second is equally small
 * for any number of records, and the server resolves it.
 */
export type Selection = { mode: 'some'; ids: ReadonlySet<string> } | { mode: 'all'; except: ReadonlySet<string> };
export type Target<Filter> = { ids: string[] } | { filter: Filter; exclude?: string[] };

export const nothing: Selection = { mode: 'some', ids: new Set() };
export const everything: Selection = { mode: 'all', except: new Set() };

export const isSelected = (s: Selection, id: string): boolean =>
  s.mode === 'some' ? s.ids.has(id) : !s.except.has(id);
export const selectedCount = (s: Selection, total: number): number =>
  s.mode === 'some' ? s.ids.size : Math.max(0, total - s.except.size);
export const leftOut = (s: Selection): number => (s.mode === 'some' ? 0 : s.except.size);

/** Selects or deselects the given records. */
export function mark(s: Selection, ids: readonly string[], on: boolean): Selection {
  const set = new Set(s.mode === 'some' ? s.ids : s.except);
  for (const id of ids)
    if (on === (s.mode === 'some')) set.add(id);
    else set.delete(id);
  return s.mode === 'some' ? { mode: 'some', ids: set } : { mode: 'all', except: set };
}

/** Returns the records between two in the shown order, both inclusive, in either direction. */
export function between(ids: readonly string[], from: string | undefined, to: string): readonly string[] {
  const a = from === undefined ? -1 : ids.indexOf(from);
  const b = ids.indexOf(to);
  return a === -1 ? [to] : ids.slice(Math.min(a, b), Math.max(a, b) + 1);
}

/** Returns the target of a call. */
export function targetOf<Filter>(s: Selection, filter: Filter): Target<Filter> {
  return s.mode === 'some' ? { ids: [...s.ids] } : { filter, ...(s.except.size > 0 ? { exclude: [...s.except] } : {}) };
}

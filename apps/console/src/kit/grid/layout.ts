import { useMemo, useState } from 'react';
import { keep, recall } from '../browser/storage.ts';
import type { Column } from './grid.types.ts';

/** Stored layout of a list: columns, their order and widths, and the row height. Also part of a saved view. */
export interface Arrangement {
  shown?: string[];
  order?: string[];
  widths?: Record<string, number>;
  comfortable?: boolean;
}
export interface Layout<T> {
  /** All columns in the user's order. */
  all: readonly Column<T>[];
  shown: readonly Column<T>[];
  /** Widths in px once the user has set one: every column then keeps its width. */
  widths: Readonly<Record<string, number>> | undefined;
  dense: boolean;
  stored: Arrangement;
  setShown: (keys: string[]) => void;
  /** Moves a column before (-1) or behind (1) its neighbour. */
  move: (key: string, by: -1 | 1) => void;
  setWidths: (widths: Record<string, number>) => void;
  setDense: (dense: boolean) => void;
  apply: (arrangement: Arrangement) => void;
  reset: () => void;
}

export const leastWidth = 56;
export const mostWidth = 800;

/** Returns the columns in the stored order; unknown ones keep the list's position. */
export function inOrder<C extends { key: string }>(
  columns: readonly C[],
  order: readonly string[] | undefined,
): readonly C[] {
  if (order === undefined) return columns;
  const known = order.flatMap((key) => columns.find((c) => c.key === key) ?? []);
  const sorted = [...known];
  for (const [at, column] of columns.entries())
    if (!order.includes(column.key)) sorted.splice(Math.min(at, sorted.length), 0, column);
  return sorted;
}

/** Returns the user's visible columns, their order and widths, and the row height. */
export function useLayout<T>(name: string, columns: readonly Column<T>[]): Layout<T> {
  const [stored, setStored] = useState<Arrangement>(() => recall<Arrangement>(`grid-${name}`) ?? {});
  const set = (next: Arrangement) => {
    setStored(next);
    keep(`grid-${name}`, Object.keys(next).length === 0 ? undefined : next);
  };
  const all = useMemo(() => inOrder(columns, stored.order), [columns, stored.order]);
  const shown = useMemo(
    () => all.filter((c) => c.fixed || (stored.shown === undefined ? !c.optional : stored.shown.includes(c.key))),
    [all, stored.shown],
  );
  return {
    all,
    shown,
    widths: stored.widths,
    dense: !stored.comfortable,
    stored,
    setShown: (keys) => set({ ...stored, shown: keys }),
    move: (key, by) => {
      const keys = all.map((c) => c.key);
      const at = keys.indexOf(key);
      const to = at + by;
      if (at === -1 || to < 0 || to >= keys.length) return;
      [keys[at], keys[to]] = [keys[to]!, keys[at]!];
      set({ ...stored, order: keys });
    },
    setWidths: (widths) =>
      set({
        ...stored,
        widths: Object.fromEntries(
          Object.entries({ ...stored.widths, ...widths }).map(([key, width]) => [
            key,
            Math.round(Math.min(mostWidth, Math.max(leastWidth, width))),
          ]),
        ),
      }),
    setDense: (dense) => set({ ...stored, comfortable: !dense }),
    apply: set,
    reset: () => set(stored.comfortable ? { comfortable: true } : {}),
  };
}

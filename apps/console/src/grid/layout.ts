import { useMemo, useState } from 'react';
import { keep, recall } from '../session/storage.ts';
import type { Column } from './grid.types.ts';

interface Stored { shown?: string[]; comfortable?: boolean }
export interface Layout<T> {
  shown: readonly Column<T>[];
  dense: boolean;
  setShown: (keys: string[] | undefined) => void;
  setDense: (dense: boolean) => void;
}

/** Which columns a person sees and how high the rows are: stored per list. */
export function useLayout<T>(name: string, columns: readonly Column<T>[]): Layout<T> {
  const [stored, setStored] = useState<Stored>(() => recall<Stored>(`grid-${name}`) ?? {});
  const set = (next: Stored) => { setStored(next); keep(`grid-${name}`, next); };
  const shown = useMemo(() => columns.filter((c) => c.fixed || (stored.shown === undefined ? !c.optional : stored.shown.includes(c.key))), [columns, stored.shown]);
  return {
    shown, dense: !stored.comfortable,
    setShown: (keys) => { const { shown: _, ...rest } = stored; set(keys === undefined ? rest : { ...rest, shown: keys }); },
    setDense: (dense) => set({ ...stored, comfortable: !dense }),
  };
}

import { useCallback, useRef, useState } from 'react';
import { between, everything, mark, nothing, type Selection } from './selection.ts';

/** The selection of a list over all its pages, and whether a phone shows checkboxes. */
export interface GridSelection {
  selection: Selection;
  selecting: boolean;
  /** Selects one record, or with `range` all from the previous one to it. A stable function. */
  check: (id: string, on: boolean, range: boolean) => void;
  checkAll: (ids: readonly string[], on: boolean) => void;
  selectEverything: () => void;
  clear: () => void;
  toggleSelecting: () => void;
}

/** `ids` are the records of the page in the shown order. */
export function useSelection(ids: readonly string[]): GridSelection {
  const [selection, setSelection] = useState<Selection>(nothing);
  const [selecting, setSelecting] = useState(false);
  const lastChecked = useRef<string>(undefined);
  const shownIds = useRef(ids);
  shownIds.current = ids;
  const check = useCallback((id: string, on: boolean, range: boolean) => {
    const from = lastChecked.current;
    lastChecked.current = id;
    setSelection((s) => mark(s, range ? between(shownIds.current, from, id) : [id], on));
  }, []);
  return {
    selection,
    selecting,
    check,
    checkAll: (all, on) => setSelection((s) => mark(s, all, on)),
    selectEverything: () => setSelection(everything),
    clear: () => {
      setSelection(nothing);
      setSelecting(false);
    },
    toggleSelecting: () => {
      setSelecting(!selecting);
      setSelection(nothing);
    },
  };
}

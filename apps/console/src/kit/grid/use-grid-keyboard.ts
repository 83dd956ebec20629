import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { between, isSelected } from './selection.ts';
import type { GridSelection } from './use-selection.ts';

/** `/` anywhere on the page focuses the search field. */
export function useSearchKey(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const focusSearch = (e: globalThis.KeyboardEvent) => {
      if (e.key === '/' && !(e.target as HTMLElement).closest?.('input,textarea,select,[role=dialog]')) {
        e.preventDefault();
        field.current?.focus();
      }
    };
    addEventListener('keydown', focusSearch);
    return () => removeEventListener('keydown', focusSearch);
  }, [field]);
}

/**
 * Arrows, Page Up and Down, Home and End move through the rows, Space selects, and Shift selects the rows between. Tab
 * reaches one row only: the last used one.
 */
export function useGridKeyboard({
  ids,
  height,
  scroller,
  selectable,
  selected,
}: {
  ids: readonly string[];
  height: number;
  scroller: RefObject<HTMLElement | null>;
  selectable: boolean;
  selected: GridSelection;
}): {
  reachable: string | undefined;
  setReachable: (id: string) => void;
  onKeyDown: (e: KeyboardEvent) => void;
  onDrawn: () => void;
  focusFirst: () => void;
} {
  const [lastReached, setReachable] = useState<string>();
  const reachable = lastReached !== undefined && ids.includes(lastReached) ? lastReached : ids[0];
  const wanted = useRef<string>(undefined);

  /** A row out of sight is not rendered yet: scroll to it, and focus it once it is rendered. */
  function focusRow(index: number) {
    wanted.current = ids[index];
    const box = scroller.current!;
    if (box.querySelector(`[data-id="${ids[index]}"]`) === null) box.scrollTop = index * height - box.clientHeight / 2;
  }
  /** Called after each rendering of rows. */
  function onDrawn() {
    const row = wanted.current === undefined ? null : scroller.current?.querySelector(`[data-id="${wanted.current}"]`);
    const name = row?.querySelector<HTMLElement>('[data-name]') ?? row?.querySelector<HTMLElement>('[tabindex]');
    if (!name) return;
    wanted.current = undefined;
    name.focus({ preventScroll: true });
    name.closest('tr')?.scrollIntoView({ block: 'nearest' });
  }

  function onKeyDown(e: KeyboardEvent) {
    const target = e.target as HTMLElement;
    if (target.closest('thead')) return;
    const at = ids.indexOf(reachable ?? '');
    if (at === -1) return;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -ids.length, End: ids.length }[e.key];
    if (step !== undefined) {
      e.preventDefault();
      const next = Math.min(ids.length - 1, Math.max(0, at + step));
      if (e.shiftKey && selectable) selected.checkAll(between(ids, ids[at], ids[next]!), true);
      focusRow(next);
      setReachable(ids[next]!);
    } else if (e.key === ' ' && selectable && !target.closest('button,input')) {
      e.preventDefault();
      selected.check(ids[at]!, !isSelected(selected.selection, ids[at]!), e.shiftKey);
    }
  }
  function focusFirst() {
    if (ids[0] === undefined || scroller.current === null) return;
    focusRow(0);
    setReachable(ids[0]);
    onDrawn();
  }
  return { reachable, setReachable, onKeyDown, onDrawn, focusFirst };
}

/**
 * Returns a function that moves the focus to the first row of a search once its records are shown, or with `undefined`
 * no longer does.
 */
export function useFirstRow(shown: string | undefined, focusFirst: () => void): (search: string | undefined) => void {
  const [wanted, setWanted] = useState<string>();
  const arrive = useEffectEvent(() => {
    if (wanted === undefined || wanted !== shown) return;
    setWanted(undefined);
    focusFirst();
  });
  useEffect(() => arrive(), [wanted, shown]);
  return setWanted;
}

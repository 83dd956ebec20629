import { useEffect, useRef, useState, type PointerEvent } from 'react';
import { isPhoneKeyName, type PhoneKeyName } from '@carillon/contracts/settings';

/** Pixels that a pointer moves before a press becomes a drag. */
const slack = 6;

const placeUnder = (x: number, y: number): PhoneKeyName | undefined => {
  const name = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-key]')?.dataset['key'];
  return name !== undefined && isPhoneKeyName(name) ? name : undefined;
};

export interface KeyDrag {
  from: PhoneKeyName;
  /** The place under the pointer. */
  over: PhoneKeyName | undefined;
}

/**
 * Lets a mouse or pen drag a key to another place. A page opens when the key is held over its tab. A finger scrolls the
 * page: it moves a key by the button of the form.
 */
export function useKeyDrag(onDrop: (from: PhoneKeyName, to: PhoneKeyName) => void, onPage: (tab: string) => void) {
  const [drag, setDrag] = useState<KeyDrag>();
  const press = useRef<{ from: PhoneKeyName; x: number; y: number }>(undefined);
  /** A drag that ended on its own key must not open it as a click. */
  const dragged = useRef(false);
  useEffect(() => {
    const move = ({ clientX: x, clientY: y }: globalThis.PointerEvent) => {
      const start = press.current;
      if (start === undefined) return;
      if (!dragged.current && Math.hypot(x - start.x, y - start.y) < slack) return;
      dragged.current = true;
      const tab = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-page]')?.dataset['page'];
      if (tab !== undefined) onPage(tab);
      setDrag({ from: start.from, over: placeUnder(x, y) });
    };
    const end = ({ type, clientX: x, clientY: y }: globalThis.PointerEvent) => {
      const start = press.current;
      press.current = undefined;
      setDrag(undefined);
      const to = placeUnder(x, y);
      if (type === 'pointerup' && dragged.current && start && to !== undefined && to !== start.from)
        onDrop(start.from, to);
      // Behind the click that follows on the same key.
      setTimeout(() => (dragged.current = false));
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', end);
    addEventListener('pointercancel', end);
    return () => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', end);
      removeEventListener('pointercancel', end);
    };
  });
  const onPointerDown = (from: PhoneKeyName) => (event: PointerEvent) => {
    dragged.current = false;
    if (event.button !== 0 || event.pointerType === 'touch') return;
    press.current = { from, x: event.clientX, y: event.clientY };
  };
  return { drag, onPointerDown, wasDragged: () => dragged.current };
}

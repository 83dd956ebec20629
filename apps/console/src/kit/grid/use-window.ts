import { useLayoutEffect, useState, type RefObject } from 'react';

export interface Sight {
  from: number;
  to: number;
  /** Whether there are so many rows that only visible ones are rendered. */
  windowed: boolean;
}

/**
 * Returns the visible rows of equal height. Above `least` rows only those (and some beside them) are rendered: 200 rows
 * of eleven cells take four times as long as 50.
 */
export function useWindow(total: number, height: number, scroller: RefObject<HTMLElement | null>, least = 100): Sight {
  const windowed = total > least;
  const [sight, setSight] = useState({ from: 0, to: 60 });
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!windowed || box === null) return;
    const measure = () => {
      // In steps of eight rows: most scroll events change nothing.
      const from = Math.max(0, Math.floor(box.scrollTop / height / 8) * 8 - 8);
      const to = Math.ceil((box.scrollTop + box.clientHeight) / height / 8) * 8 + 8;
      setSight((s) => (s.from === from && s.to === to ? s : { from, to }));
    };
    measure();
    box.addEventListener('scroll', measure, { passive: true });
    const resized = new ResizeObserver(measure);
    resized.observe(box);
    return () => {
      box.removeEventListener('scroll', measure);
      resized.disconnect();
    };
  }, [windowed, height, scroller]);
  return windowed
    ? { from: Math.min(sight.from, total), to: Math.min(sight.to, total), windowed }
    : { from: 0, to: total, windowed };
}

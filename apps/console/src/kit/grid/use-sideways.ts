import { useEffect, type RefObject } from 'react';

/**
 * Marks a scroller with attributes when content is hidden at its left or right, for its shadows; attributes avoid
 * rendering rows while it scrolls.
 */
export function useSideways(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const look = () => {
      const rest = box.scrollWidth - box.clientWidth;
      const at = Math.abs(box.scrollLeft);
      box.toggleAttribute('data-before', at > 1);
      box.toggleAttribute('data-after', rest - at > 1);
    };
    look();
    const sizes = new ResizeObserver(look);
    sizes.observe(box);
    for (const part of box.children) sizes.observe(part);
    box.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      box.removeEventListener('scroll', look);
    };
  }, [scroller]);
}

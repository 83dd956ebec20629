/**
 * Runs in the page: returns texts that are wider than their box, unless they are cut with an ellipsis and have a
 * tooltip.
 */
export function overflows(): string[] {
  const found: string[] = [];
  if (document.documentElement.scrollWidth > innerWidth + 1)
    found.push(`the page is ${document.documentElement.scrollWidth} px wide`);
  for (const el of document.querySelectorAll<HTMLElement>('body *')) {
    const own = [...el.childNodes].some((n) => n.nodeType === 3 && n.textContent!.trim() !== '');
    // A cell also cuts its content.
    if (!own && (el.textContent!.trim() === '' || getComputedStyle(el).textOverflow !== 'ellipsis')) continue;
    if (
      el.closest('.hidden-text,svg,select,option,[aria-hidden=true]') !== null ||
      !el.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    )
      continue;
    const style = getComputedStyle(el);
    const box = el.getBoundingClientRect();
    // An inline text is measured by its container; a clipped one is for screen readers.
    if (style.display === 'inline' || box.width === 0 || style.clipPath !== 'none') continue;
    // A sticky cell has a shadow, which is part of its width.
    const shadow = style.position === 'sticky' && getComputedStyle(el, '::after').position === 'absolute' ? 10 : 0;
    const wide = el.scrollWidth > el.clientWidth + 1 + shadow;
    const scrolls = style.overflowX === 'auto' || style.overflowX === 'scroll';
    if (wide && !scrolls) {
      const cut = style.textOverflow === 'ellipsis' && style.overflowX === 'hidden';
      const named = el.closest('[title]') !== null || el.querySelector('[title]') !== null;
      if (!cut || !named)
        found.push(
          `"${el.textContent!.trim().slice(0, 60)}" in <${el.localName} class="${el.className}"> ${el.scrollWidth} > ${el.clientWidth}${cut ? ', cut without a tooltip' : ''}`,
        );
    }
    // An element that extends beyond a clipping box, for example a choice too many in a row.
    for (let around = el.parentElement; around !== null && own; around = around.parentElement) {
      const { overflowX, textOverflow } = getComputedStyle(around);
      if (overflowX === 'visible') continue;
      const frame = around.getBoundingClientRect();
      if (
        (overflowX === 'hidden' || overflowX === 'clip') &&
        textOverflow !== 'ellipsis' &&
        frame.width > 1 &&
        (box.right > frame.right + 1 || box.left < frame.left - 1)
      )
        found.push(
          `"${el.textContent!.trim().slice(0, 60)}" is cut by <${around.localName} class="${around.className}">: ${Math.round(box.left)} to ${Math.round(box.right)} in ${Math.round(frame.left)} to ${Math.round(frame.right)}`,
        );
      break;
    }
    if (style.overflowY === 'hidden' && el.scrollHeight > el.clientHeight + 4 && style.whiteSpace !== 'nowrap')
      found.push(
        `"${el.textContent!.trim().slice(0, 60)}" is cut at its foot: ${el.scrollHeight} > ${el.clientHeight}`,
      );
  }
  return found;
}

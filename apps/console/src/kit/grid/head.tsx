import { useRef, type PointerEvent } from 'react';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useText } from '../text/use-text.ts';
import type { Column } from './grid.types.ts';
import { leastWidth, type Layout } from './layout.ts';
import { nextSort } from './search.ts';
import css from './table.module.css';

interface HeadProps<T> {
  layout: Layout<T>;
  selectable: boolean;
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
  checked: 'none' | 'some' | 'all';
  onCheck: (on: boolean) => void;
}

/** Returns the current width of each column, so that resizing one keeps all others. */
export function measuredWidths(table: HTMLTableElement | null): Record<string, number> {
  return Object.fromEntries(
    [...(table?.querySelectorAll<HTMLElement>('th[data-column]') ?? [])].map((th) => [
      th.dataset['column']!,
      Math.round(th.getBoundingClientRect().width),
    ]),
  );
}

export function Head<T>({ layout, selectable, sort, onSort, checked, onCheck }: HeadProps<T>) {
  const { t } = useText();
  const columns = layout.shown;
  const width = (c: Column<T>) => layout.widths?.[c.key] ?? c.width;
  return (
    <>
      <colgroup>
        {selectable && <col style={{ width: 40 }} />}
        {columns.map((c) => (
          <col key={c.key} data-column={c.key} style={{ width: width(c) }} />
        ))}
        <col style={layout.widths === undefined ? { width: 66 } : undefined} />
      </colgroup>
      <thead className={css.head}>
        <tr>
          {selectable && (
            <th scope="col" className={css.checkCell}>
              <input
                type="checkbox"
                className={css.check}
                aria-label={t('grid.selectPage')}
                checked={checked === 'all'}
                ref={(el) => {
                  if (el) el.indeterminate = checked === 'some';
                }}
                onChange={(e) => onCheck(e.currentTarget.checked)}
              />
            </th>
          )}
          {columns.map((c) => {
            const up = sort === c.key;
            const down = sort === `-${c.key}`;
            return (
              <th
                key={c.key}
                scope="col"
                data-column={c.key}
                className={[c.align === 'end' && css.end, c.fixed && css.stays].filter(Boolean).join(' ') || undefined}
                title={c.hint}
                aria-sort={up ? 'ascending' : down ? 'descending' : undefined}
              >
                {c.sortable ? (
                  <button type="button" className={css.sort} onClick={() => onSort(nextSort(sort, c.key))}>
                    <span className="ellipsis" title={c.hint ?? c.title}>
                      {c.title}
                    </span>
                    {up && <IconArrowUp size={13} stroke={2} aria-hidden />}
                    {down && <IconArrowDown size={13} stroke={2} aria-hidden />}
                  </button>
                ) : (
                  <span className={css.plain} title={c.hint ?? c.title}>
                    {c.title}
                  </span>
                )}
                <Grip column={c.key} onWidths={layout.setWidths} />
              </th>
            );
          })}
          <th className={css.actionCell}>
            <span className="hidden-text">{t('grid.actions')}</span>
          </th>
        </tr>
      </thead>
    </>
  );
}

/** The edge of a column, which resizes it by pointer; by keyboard the column chooser does it (WCAG 2.5.7). */
function Grip({ column, onWidths }: { column: string; onWidths: (widths: Record<string, number>) => void }) {
  const drag = useRef<{ x: number; from: Record<string, number>; table: HTMLTableElement }>(undefined);
  const at = (e: PointerEvent) =>
    Math.max(
      leastWidth,
      drag.current!.from[column]! +
        (e.clientX - drag.current!.x) * (getComputedStyle(drag.current!.table).direction === 'rtl' ? -1 : 1),
    );
  return (
    <span
      aria-hidden
      className={css.grip}
      onPointerDown={(e) => {
        const table = e.currentTarget.closest('table')!;
        drag.current = { x: e.clientX, from: measuredWidths(table), table };
        e.currentTarget.setPointerCapture(e.pointerId);
        e.preventDefault();
      }}
      onPointerMove={(e) => {
        const d = drag.current;
        if (d === undefined) return;
        // Set directly while dragging: React renders the rows once, at the end.
        for (const col of d.table.querySelectorAll<HTMLElement>('col[data-column]'))
          col.style.width = `${col.dataset['column'] === column ? at(e) : d.from[col.dataset['column']!]}px`;
        (d.table.querySelector('col:last-child') as HTMLElement).style.width = '';
      }}
      onPointerUp={(e) => {
        if (drag.current) onWidths({ ...drag.current.from, [column]: at(e) });
        drag.current = undefined;
      }}
      onPointerCancel={() => {
        if (drag.current) onWidths(drag.current.from);
        drag.current = undefined;
      }}
    />
  );
}

import type { RefObject } from 'react';
import { useText } from '../text/use-text.ts';
import type { DataGridProps } from './grid.types.ts';
import { PhoneItem, rowTexts, type RowEvents } from './row.tsx';
import { isSelected } from './selection.ts';
import type { GridSelection } from './use-selection.ts';
import type { Sight } from './use-window.ts';
import css from './table.module.css';

export const phoneItemHeight = 60;

/** The list as a phone shows it: an item of two lines for each record. */
export function PhoneList<T extends { id: string }, F extends string>({
  grid,
  records,
  sight,
  scroller,
  selectable,
  selected,
  events,
}: {
  grid: DataGridProps<T, F>;
  records: readonly T[];
  sight: Sight;
  scroller: RefObject<HTMLDivElement | null>;
  selectable: boolean;
  selected: GridSelection;
  events: RowEvents<T>;
}) {
  const { t } = useText();
  return (
    <div className={css.list} ref={scroller} data-scroll-restoration-id={`grid-${grid.name}`}>
      <ul
        style={{
          paddingTop: sight.from * phoneItemHeight,
          paddingBottom: (records.length - sight.to) * phoneItemHeight,
        }}
      >
        {records.slice(sight.from, sight.to).map((record) => (
          <PhoneItem
            key={record.id}
            record={record}
            row={grid.phone(record)}
            menu={!selectable && (grid.actions ?? []).length > 0}
            selecting={selected.selecting}
            selected={selected.selecting && isSelected(selected.selection, record.id)}
            opened={record.id === grid.openId}
            events={events}
            texts={rowTexts(t, grid.label(record))}
          />
        ))}
      </ul>
    </div>
  );
}

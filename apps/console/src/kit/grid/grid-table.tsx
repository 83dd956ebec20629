import { useLayoutEffect, type CSSProperties, type KeyboardEvent, type RefObject } from 'react';
import { useText } from '../text/use-text.ts';
import type { DataGridProps } from './grid.types.ts';
import { Head } from './head.tsx';
import type { Layout } from './layout.ts';
import { Row, rowTexts, type RowEvents } from './row.tsx';
import { isSelected } from './selection.ts';
import { useSideways } from './use-sideways.ts';
import type { GridSelection } from './use-selection.ts';
import { useWindow } from './use-window.ts';
import css from './table.module.css';

/** Widths of the list's own columns: checkboxes and actions, or actions only. */
const ownWidth = { selectable: 106, plain: 66 } as const;

/** The list as a table; renders only visible rows when there are many. */
export function GridTable<T extends { id: string }, F extends string>({
  grid,
  records,
  ids,
  layout,
  height,
  scroller,
  selectable,
  selected,
  reachable,
  named,
  events,
  onKeyDown,
  onDrawn,
}: {
  grid: DataGridProps<T, F>;
  records: readonly T[];
  ids: readonly string[];
  layout: Layout<T>;
  height: number;
  scroller: RefObject<HTMLDivElement | null>;
  selectable: boolean;
  selected: GridSelection;
  reachable: string | undefined;
  /** The column that opens the record by a button, when no column has an address. */
  named: string | undefined;
  events: RowEvents<T>;
  onKeyDown: (e: KeyboardEvent) => void;
  /** Called after each rendering of rows: a row that was out of sight may wait for the focus. */
  onDrawn: () => void;
}) {
  const { t } = useText();
  const { state, onState, actions = [] } = grid;
  useSideways(scroller);
  const sight = useWindow(records.length, height, scroller);
  useLayoutEffect(onDrawn);
  const checked = ids.filter((id) => isSelected(selected.selection, id)).length;
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Hears the keys of its rows' own controls.
    <div
      className={css.scroll}
      ref={scroller}
      data-scroll-restoration-id={`grid-${grid.name}`}
      style={{ '--row': `${height}px` } as CSSProperties}
      onKeyDown={onKeyDown}
    >
      <table
        className={css.table}
        aria-rowcount={sight.windowed ? records.length + 1 : undefined}
        style={{
          minWidth: layout.shown.reduce<number>(
            (width, column) => width + (layout.widths?.[column.key] ?? column.width),
            selectable ? ownWidth.selectable : ownWidth.plain,
          ),
        }}
      >
        <Head
          layout={layout}
          selectable={selectable}
          sort={state.sort}
          onSort={(sort) => onState({ ...state, sort, page: 1 })}
          checked={checked === 0 ? 'none' : checked === ids.length ? 'all' : 'some'}
          onCheck={(on) => selected.checkAll(ids, on)}
        />
        <tbody>
          <Space height={sight.from * height} />
          {records.slice(sight.from, sight.to).map((record, i) => (
            <Row
              key={record.id}
              record={record}
              columns={layout.shown}
              events={events}
              actions={actions}
              named={named}
              selectable={selectable}
              selected={isSelected(selected.selection, record.id)}
              reachable={record.id === reachable}
              opened={record.id === grid.openId}
              rowIndex={sight.windowed ? sight.from + i + 2 : undefined}
              texts={rowTexts(t, grid.label(record))}
            />
          ))}
          <Space height={(records.length - sight.to) * height} />
        </tbody>
      </table>
    </div>
  );
}

/** Takes the space of rows that are not rendered. */
function Space({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <tr className={css.space} aria-hidden>
      <td style={{ height }} />
    </tr>
  );
}

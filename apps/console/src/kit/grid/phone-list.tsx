import { memo, type RefObject } from 'react';
import { IconDots } from '@tabler/icons-react';
import { useText } from '../text/use-text.ts';
import type { DataGridProps, PhoneRow } from './grid.types.ts';
import { rowTexts, type RowEvents, type RowTexts } from './row.tsx';
import { isSelected } from './selection.ts';
import type { GridSelection } from './use-selection.ts';
import { useWindow } from './use-window.ts';
import css from './phone-list.module.css';
import table from './table.module.css';

/** Item height in pixels. */
const phoneItemHeight = 60;

export interface PhoneListProps<T extends { id: string }, F extends string> {
  grid: DataGridProps<T, F>;
  records: readonly T[];
  scroller: RefObject<HTMLDivElement | null>;
  selected: GridSelection;
  events: RowEvents<T>;
}

/** The list on a phone: an item of two lines for each record. */
export default function PhoneList<T extends { id: string }, F extends string>({
  grid,
  records,
  scroller,
  selected,
  events,
}: PhoneListProps<T, F>) {
  const { t } = useText();
  // When selections have actions, a phone uses them instead of a menu.
  const actions = grid.actions ?? [];
  const hasMenu = actions.length > 0 && !actions.some((a) => a.onMany ?? a.onPage);
  const sight = useWindow(records.length, phoneItemHeight, scroller);
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
            menu={hasMenu}
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

function PhoneItemBase<T>({
  record,
  row,
  menu,
  selecting,
  selected,
  opened,
  events,
  texts,
}: {
  record: T & { id: string };
  row: PhoneRow;
  /** Its actions are in a menu, because this list has no selection. */ menu: boolean;
  selecting: boolean;
  selected: boolean;
  opened: boolean;
  events: RowEvents<T>;
  texts: RowTexts;
}) {
  return (
    <li
      className={css.item}
      data-id={record.id}
      data-selected={selected || undefined}
      data-opened={opened || undefined}
    >
      {selecting && (
        <input
          type="checkbox"
          className={`${table.check} ${css.itemCheck}`}
          checked={selected}
          aria-label={texts.select}
          onChange={() => {}}
          onClick={(e) => events.check(record.id, e.currentTarget.checked, e.shiftKey)}
        />
      )}
      <button
        type="button"
        className={css.itemBody}
        onClick={() => (selecting ? events.check(record.id, !selected, false) : events.open(record))}
      >
        <span className={css.itemTitle} title={row.title}>
          {row.title}
        </span>
        <span className={css.itemState}>{row.state}</span>
        <span className={css.itemSub} title={typeof row.sub === 'string' ? row.sub : row.subText}>
          {row.sub}
        </span>
        <span className={css.itemExtra}>{row.extra}</span>
      </button>
      {menu && (
        <button
          type="button"
          className={`${table.icon} ${css.itemMenu}`}
          aria-haspopup="menu"
          aria-label={texts.actions}
          onClick={(e) => events.menu(record, e.currentTarget)}
        >
          <IconDots size={16} stroke={1.75} />
        </button>
      )}
    </li>
  );
}
const PhoneItem = memo(PhoneItemBase) as typeof PhoneItemBase;

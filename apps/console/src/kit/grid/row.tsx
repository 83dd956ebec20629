import { memo, useEffect, useRef, type ReactNode } from 'react';
import { IconDots } from '@tabler/icons-react';
import type { useText } from '../text/use-text.ts';
import type { Column, GridAction } from './grid.types.ts';
import css from './table.module.css';

/** Events of rows: one stable object, so that a row is rendered only when its own data changes. */
export interface RowEvents<T> {
  check: (id: string, on: boolean, range: boolean) => void;
  open: (record: T) => void;
  menu: (record: T, anchor: HTMLElement) => void;
  focused: (id: string) => void;
}

export interface RowTexts {
  select: string;
  actions: string;
}

/** Caches texts per name, so that memoized rows stay unchanged. */
const kept = new Map<string, { select: string; actions: string }>();
export function rowTexts(t: ReturnType<typeof useText>['t'], name: string): RowTexts {
  let texts = kept.get(name);
  if (texts === undefined) {
    if (kept.size > 2000) kept.clear();
    kept.set(name, (texts = { select: t('grid.selectOne', { name }), actions: t('grid.actionsOf', { name }) }));
  }
  return texts;
}

interface RowProps<T> {
  record: T & { id: string };
  columns: readonly Column<T>[];
  events: RowEvents<T>;
  actions: readonly GridAction<T>[];
  /** The column that opens the record by a button, when no column has an address. */
  named: string | undefined;
  selectable: boolean;
  selected: boolean;
  /** The single row whose controls Tab reaches; arrows move to others. */
  reachable: boolean;
  opened: boolean;
  rowIndex: number | undefined;
  texts: RowTexts;
}

const titleOf = (shown: ReactNode) => (typeof shown === 'string' ? shown : undefined);

function RowBase<T>({
  record,
  columns,
  events,
  actions,
  named,
  selectable,
  selected,
  reachable,
  opened,
  rowIndex,
  texts,
}: RowProps<T>) {
  const tabIndex = reachable ? 0 : -1;
  return (
    <tr
      className={css.row}
      data-id={record.id}
      data-selected={selected || undefined}
      data-opened={opened || undefined}
      aria-rowindex={rowIndex}
      onClick={(e) => {
        if (!(e.target as HTMLElement).closest('a,button,input')) events.open(record);
      }}
      onFocus={() => events.focused(record.id)}
    >
      {selectable && (
        <td className={css.checkCell} onClick={(e) => e.stopPropagation()}>
          <input
            type="checkbox"
            className={css.check}
            checked={selected}
            tabIndex={tabIndex}
            aria-label={texts.select}
            onChange={() => {}}
            onClick={(e) => events.check(record.id, e.currentTarget.checked, e.shiftKey)}
          />
        </td>
      )}
      {columns.map((column) => (
        <Cell key={column.key} value={column.live?.(record)} end={column.align === 'end'} stays={column.fixed === true}>
          {column.link ? (
            <a
              className={css.name}
              href={column.link(record)}
              title={titleOf(column.render(record))}
              tabIndex={tabIndex}
              data-name
              onClick={(e) => {
                if (e.ctrlKey || e.metaKey || e.shiftKey) return;
                e.preventDefault();
                events.open(record);
              }}
            >
              {column.render(record)}
            </a>
          ) : column.key === named ? (
            <button
              type="button"
              className={css.name}
              tabIndex={tabIndex}
              data-name
              onClick={() => events.open(record)}
            >
              {column.render(record)}
            </button>
          ) : (
            column.render(record)
          )}
        </Cell>
      ))}
      <td className={css.actionCell}>
        {actions.length > 0 && (
          <span className={css.hover}>
            {actions
              .filter((a) => !a.menuOnly && a.when?.(record) !== false)
              .slice(0, 3)
              .map((a) => (
                <button
                  key={a.key}
                  type="button"
                  tabIndex={-1}
                  className={css.icon}
                  title={a.label}
                  aria-label={a.label}
                  onClick={() => a.onOne(record)}
                >
                  {a.icon}
                </button>
              ))}
            <button
              type="button"
              tabIndex={tabIndex}
              className={css.icon}
              aria-haspopup="menu"
              aria-label={texts.actions}
              title={texts.actions}
              onClick={(e) => events.menu(record, e.currentTarget)}
            >
              <IconDots size={16} stroke={1.75} />
            </button>
          </span>
        )}
      </td>
    </tr>
  );
}
export const Row = memo(RowBase) as typeof RowBase;

/**
 * Tints itself for 1.2 s when its value changes while it is visible; with reduced motion it shows an outline instead.
 */
function Cell({
  value,
  end,
  stays,
  children,
}: {
  value: unknown;
  end: boolean;
  /** Names the record: stays visible while the table scrolls. */
  stays: boolean;
  children: ReactNode;
}) {
  const cell = useRef<HTMLTableCellElement>(null);
  const before = useRef(value);
  useEffect(() => {
    if (Object.is(before.current, value)) return;
    before.current = value;
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const colour = getComputedStyle(document.documentElement).getPropertyValue(
      still ? '--accent-text' : '--accent-soft',
    );
    cell.current?.animate(
      still
        ? [{ boxShadow: `inset 0 0 0 1px ${colour}` }, { boxShadow: `inset 0 0 0 1px ${colour}` }]
        : [{ backgroundColor: colour }, { backgroundColor: colour, offset: 0.6 }, { backgroundColor: 'transparent' }],
      1200,
    );
  }, [value]);
  return (
    <td ref={cell} className={stays ? css.stays : end ? css.end : undefined} title={titleOf(children)}>
      {children}
    </td>
  );
}

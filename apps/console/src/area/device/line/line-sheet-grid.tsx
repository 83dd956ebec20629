import { useEffect, useMemo, useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react';
import { linesPerDevice } from '@carillon/contracts/constants';
import { useText } from '../../../kit/text/use-text.ts';
import type { Verdict } from './line-sheet-judge.ts';
import { LineSheetRow } from './line-sheet-row.tsx';
import type { SheetResult, SheetRow } from './line-sheet.calls.ts';
import {
  boxOf,
  cellsText,
  clear,
  fillDown,
  moved,
  nextCell,
  parseCells,
  paste,
  redo,
  undo,
  type Cell,
  type Grid,
  type History,
  type Range,
} from './line-sheet.ts';
import css from './line-sheet.module.css';

const steps: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-10, 0],
  PageDown: [10, 0],
  Home: [0, -linesPerDevice],
  End: [0, linesPerDevice],
};
const at = (cell: Cell): Range => ({ from: cell, to: cell });

interface GridProps {
  rows: readonly SheetRow[];
  history: History;
  verdicts: readonly (readonly Verdict[])[];
  refused: ReadonlyMap<string, SheetResult>;
  range: Range;
  onRange: (range: Range) => void;
  onHistory: (change: (history: History) => History) => void;
  /** `leftOut`: pasted texts that had no cell. */
  onChange: (grid: Grid, leftOut?: number) => void;
  /** Moves the focus out of the cells. */
  onLeave: () => void;
}

/** Returns the keys of a sheet outside of a cell that is edited; true when a key had an effect. */
function useKeys({ history, range, onRange, onHistory, onChange, onLeave }: GridProps, edit: (text?: string) => void) {
  const { now } = history;
  const withControl = (key: string, shift: boolean): boolean => {
    if (key === 'd') onChange(fillDown(now, range));
    else if (key === 'z') onHistory(shift ? redo : undo);
    else if (key === 'y') onHistory(redo);
    else if (key === 'a')
      onRange({ from: { row: 0, column: 0 }, to: { row: now.length - 1, column: linesPerDevice - 1 } });
    else return false;
    return true;
  };
  return (event: KeyboardEvent): boolean => {
    const { key, shiftKey: shift } = event;
    if (event.nativeEvent.isComposing) return false;
    if (event.ctrlKey || event.metaKey) return withControl(key.toLowerCase(), shift);
    if (event.altKey) return false;
    const way = steps[key];
    if (way) {
      const to = moved(range.to, way[0], way[1], now);
      onRange(shift ? { from: range.from, to } : at(to));
      return true;
    }
    if (key === 'Tab') {
      const next = nextCell(range.to, shift, now);
      if (next) onRange(at(next));
      return next !== undefined;
    }
    if (key === 'Enter' || key === 'F2') edit();
    else if (key === 'Delete' || key === 'Backspace') onChange(clear(now, range));
    else if (key === 'Escape') onLeave();
    else if (key.length === 1) edit(key);
    else return false;
    return true;
  };
}

/** The cells: a row per device, a column per line. One cell is in the order of Tab, the others are reached by arrows. */
export function LineSheetGrid(props: GridProps) {
  const { t } = useText();
  const { rows, history, verdicts, refused, range, onRange, onChange } = props;
  const [editing, setEditing] = useState<string>();
  const table = useRef<HTMLTableElement>(null);
  const { row, column } = range.to;
  const edit = (text?: string) => setEditing(text ?? history.now[row]?.[column] ?? '');
  const onKey = useKeys(props, edit);
  const isEditing = editing !== undefined;
  useEffect(() => {
    if (isEditing) return;
    const cell = table.current?.querySelector<HTMLElement>(`[data-cell="${row} ${column}"]`);
    cell?.focus({ preventScroll: true });
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [row, column, isEditing]);
  const box = boxOf(range);
  const pasteText = (text: string) => {
    const pasted = paste(history.now, range, parseCells(text));
    onChange(pasted.grid, pasted.leftOut);
  };
  const actions = useMemo(
    () => ({
      select: (cell: Cell, extend: boolean) => {
        setEditing(undefined);
        newest.current.onRange(extend ? { from: newest.current.range.from, to: cell } : at(cell));
      },
      edit: () => newest.current.edit(),
      /** Takes the text of the edited cell, and moves on. */
      commit: (text: string, way: readonly [down: number, right: number]) => {
        const { props: of, place } = newest.current;
        setEditing(undefined);
        const now = paste(of.history.now, at(place), [[text.trim()]]).grid;
        of.onChange(now);
        if (way[0] !== 0 || way[1] !== 0) of.onRange(at(moved(place, way[0], way[1], now)));
      },
      cancel: () => setEditing(undefined),
      pasteText: (text: string) => {
        setEditing(undefined);
        newest.current.pasteText(text);
      },
    }),
    [],
  );
  const newest = useRef({ props, place: range.to, range, onRange, edit, pasteText });
  newest.current = { props, place: range.to, range, onRange, edit, pasteText };
  const clipboard = (run: (event: ClipboardEvent) => void) => (event: ClipboardEvent) => {
    if (isEditing) return;
    event.preventDefault();
    run(event);
  };
  const copy = (event: ClipboardEvent) => event.clipboardData.setData('text/plain', cellsText(history.now, range));
  return (
    <div className={css.scroll}>
      <table
        ref={table}
        className={css.table}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- Cells are edited.
        role="grid"
        aria-label={t('lineSheet.table')}
        aria-multiselectable
        aria-rowcount={rows.length + 1}
        onKeyDown={(e) => {
          if (!isEditing && onKey(e)) e.preventDefault();
        }}
        onCopy={clipboard(copy)}
        onCut={clipboard((event) => {
          copy(event);
          onChange(clear(history.now, range));
        })}
        onPaste={clipboard((event) => pasteText(event.clipboardData.getData('text/plain')))}
      >
        <thead>
          <tr>
            <th scope="col">{t('lineSheet.device')}</th>
            {Array.from({ length: linesPerDevice }, (_, n) => (
              <th key={n} scope="col">
                {t('sipAccount.lineFree', { line: n + 1 })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, r) => (
            <LineSheetRow
              key={cells.id}
              row={cells}
              index={r}
              texts={history.now[r]!}
              verdicts={verdicts[r]!}
              refused={refused.get(cells.id)}
              active={r === row ? column : undefined}
              from={r >= box.top && r <= box.bottom ? box.left : undefined}
              to={box.right}
              editing={r === row ? editing : undefined}
              actions={actions}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

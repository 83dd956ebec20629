import { memo } from 'react';
import { IconAlertTriangleFilled } from '@tabler/icons-react';
import { macText } from '../../../kit/text/time.ts';
import { useText } from '../../../kit/text/use-text.ts';
import { LineSheetInput } from './line-sheet-input.tsx';
import type { Verdict } from './line-sheet-judge.ts';
import type { SheetResult, SheetRow } from './line-sheet.calls.ts';
import type { Cell } from './line-sheet.ts';
import css from './line-sheet.module.css';

export interface CellActions {
  select: (cell: Cell, extend: boolean) => void;
  edit: () => void;
  commit: (text: string, way: readonly [down: number, right: number]) => void;
  cancel: () => void;
  pasteText: (text: string) => void;
}

interface RowProps {
  row: SheetRow;
  index: number;
  texts: readonly string[];
  verdicts: readonly Verdict[];
  refused: SheetResult | undefined;
  /** Column of the active cell. */
  active: number | undefined;
  /** First selected column, when the row is in the selection; `to` is the last one. */
  from: number | undefined;
  to: number;
  /** Text that the active cell begins to be edited with. */
  editing: string | undefined;
  actions: CellActions;
}

const isSame = (a: Verdict, b: Verdict): boolean =>
  a.change === b.change &&
  a.wrong === b.wrong &&
  a.twice === b.twice &&
  a.waiting === b.waiting &&
  a.name === b.name &&
  a.choices?.join() === b.choices?.join();

/** A device with its cells. Rendered again only when something of it changes: a sheet has up to 2,500 cells. */
export const LineSheetRow = memo(Row, ({ verdicts, to, ...before }, { verdicts: now, to: last, ...after }) => {
  const keys = Object.keys(before) as (keyof typeof before)[];
  return (
    keys.every((key) => before[key] === after[key]) &&
    (before.from === undefined || to === last) &&
    verdicts.every((verdict, n) => isSame(verdict, now[n]!))
  );
});

function Row({ row, index, texts, verdicts, refused, active, from, to, editing, actions }: RowProps) {
  return (
    <tr data-device={row.id}>
      <th scope="row">
        <span className="ellipsis" title={row.name}>
          {row.name}
        </span>
        <small>
          {row.model} · <code>{macText(row.mac)}</code>
        </small>
        {refused && <p className={css.refused}>{refused.msg}</p>}
      </th>
      {texts.map((text, column) => (
        <SheetCell
          key={column}
          row={row}
          cell={{ row: index, column }}
          text={text}
          verdict={verdicts[column]!}
          isRefused={refused !== undefined && refused.line === column + 1}
          isActive={active === column}
          isSelected={from !== undefined && column >= from && column <= to}
          editing={active === column ? editing : undefined}
          actions={actions}
        />
      ))}
    </tr>
  );
}

function SheetCell({
  row,
  cell,
  text,
  verdict,
  isRefused,
  isActive,
  isSelected,
  editing,
  actions,
}: {
  row: SheetRow;
  cell: Cell;
  text: string;
  verdict: Verdict;
  isRefused: boolean;
  isActive: boolean;
  isSelected: boolean;
  editing: string | undefined;
  actions: CellActions;
}) {
  const { t } = useText();
  const line = cell.column + 1;
  const isHidden = !verdict.change && row.accounts.some((a) => a.line === line && a.account === null);
  const wrong =
    verdict.wrong === undefined
      ? undefined
      : t(`lineSheet.${verdict.wrong}`, {
          number: text,
          model: row.model,
          count: row.lines,
          choices: verdict.choices?.join(', ') ?? '',
        });
  const hint = wrong ?? (verdict.twice ? t('lineSheet.twice') : verdict.name);
  return (
    <td
      data-cell={`${cell.row} ${cell.column}`}
      data-changed={verdict.change || undefined}
      data-wrong={wrong !== undefined || isRefused || undefined}
      data-beyond={line > row.lines || undefined}
      data-active={isActive || undefined}
      aria-selected={isSelected}
      aria-invalid={wrong !== undefined || isRefused || undefined}
      tabIndex={isActive ? 0 : -1}
      title={hint}
      onMouseDown={(e) => {
        if (editing === undefined) actions.select(cell, e.shiftKey);
      }}
      onDoubleClick={() => actions.edit()}
    >
      {editing === undefined ? (
        <span className={css.cell}>
          <code className="ellipsis">{isHidden ? t('lineSheet.hidden') : text}</code>
          {verdict.twice && verdict.wrong === undefined && (
            <IconAlertTriangleFilled size={12} className={css.twice} aria-label={t('lineSheet.twice')} />
          )}
          {wrong !== undefined && <small className={css.wrong}>{wrong}</small>}
        </span>
      ) : (
        <LineSheetInput
          first={editing}
          label={t('lineSheet.cell', { device: row.name, line })}
          onCommit={actions.commit}
          onCancel={actions.cancel}
          onPaste={actions.pasteText}
        />
      )}
    </td>
  );
}

import { useText } from '../text/use-text.ts';
import { count } from '../text/text.ts';
import type { GridAction } from './grid.types.ts';
import { leftOut, type Selection } from './selection.ts';
import css from './action-bar.module.css';

export interface ActionBarProps<T> {
  total: number;
  chosen: number;
  selection: Selection;
  /** The whole page is selected and more records match: the bar offers to select all. */
  pageFull: boolean;
  actions: readonly GridAction<T>[];
  /** Why actions are missing. */
  note: string | undefined;
  phone: boolean;
  onAll: () => void;
  onClear: () => void;
  onAction: (action: GridAction<T>) => void;
}

/** Shows the selection and its actions. It has its own space, so that it never covers a focused row. */
export default function ActionBar<T>({
  total,
  chosen,
  selection,
  pageFull,
  actions,
  note,
  phone,
  onAll,
  onClear,
  onAction,
}: ActionBarProps<T>) {
  const { t } = useText();
  const out = leftOut(selection);
  const offer = pageFull || (phone && selection.mode === 'some' && total > chosen);
  return (
    <div className={css.bar} role="region" aria-label={t('grid.selection')}>
      <div className={css.words}>
        <strong aria-live="polite">{t('grid.selected', { count: chosen, number: count(chosen) })}</strong>
        {selection.mode === 'all' && (
          <span className={css.muted}>
            {out === 0 ? t('grid.allMatch') : t('grid.allMatchBut', { count: out, number: count(out) })}
          </span>
        )}
        {offer && (
          <button type="button" className={css.link} onClick={onAll}>
            {t('grid.selectAll', { count: total, number: count(total) })}
          </button>
        )}
        <button type="button" className={css.link} onClick={onClear}>
          {t('grid.clearSelection')}
        </button>
        {note && <span className={css.muted}>{note}</span>}
      </div>
      <div className={css.actions}>
        {actions.map((a) => (
          <button key={a.key} type="button" className={css.action} onClick={() => onAction(a)}>
            {a.icon}
            <span>{a.label}</span>
          </button>
        ))}
      </div>
    </div>
  );
}

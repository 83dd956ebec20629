import { pageSizes } from '@carillon/contracts/constants';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useText } from '../text/use-text.ts';
import { count } from '../text/text.ts';
import type { ListState, PageSize } from './search.ts';
import css from './pager.module.css';

/** Returns the first, the last and the pages around the current one; 0 is a gap. */
export function pageNumbers(current: number, last: number): number[] {
  const near = [
    1,
    current - 1,
    current,
    current + 1,
    last,
    ...(current <= 3 ? [2, 3] : []),
    ...(current >= last - 2 ? [last - 1, last - 2] : []),
  ];
  const pages = [...new Set(near)].filter((p) => p >= 1 && p <= last).sort((a, b) => a - b);
  return pages.flatMap((p, i) => (i > 0 && p - pages[i - 1]! > 1 ? [p - pages[i - 1]! === 2 ? p - 1 : 0, p] : [p]));
}

export function Pager<F extends string>({
  state,
  total,
  onState,
}: {
  state: ListState<F>;
  total: number;
  onState: (next: ListState<F>) => void;
}) {
  const { t } = useText();
  const last = Math.max(1, Math.ceil(total / state.limit));
  const go = (page: number) => onState({ ...state, page });
  return (
    <footer className={css.pager}>
      <span className={css.range}>
        {t('grid.range', {
          from: count((state.page - 1) * state.limit + 1),
          to: count(Math.min(total, state.page * state.limit)),
          total: count(total),
        })}
      </span>
      <label className={css.size}>
        <span className="hidden-text">{t('grid.pageSize')}</span>
        <select
          value={state.limit}
          onChange={(e) => onState({ ...state, limit: Number(e.currentTarget.value) as PageSize, page: 1 })}
        >
          {pageSizes.map((s) => (
            <option key={s} value={s}>
              {t('grid.rows', { size: s })}
            </option>
          ))}
        </select>
      </label>
      <nav className={css.pages} aria-label={t('grid.pages')}>
        <button
          type="button"
          className={css.page}
          disabled={state.page <= 1}
          onClick={() => go(state.page - 1)}
          aria-label={t('grid.previous')}
        >
          <IconChevronLeft size={16} stroke={1.75} />
        </button>
        {pageNumbers(state.page, last).map((p, i) =>
          p === 0 ? (
            <span key={`gap${i}`} className={css.gap}>
              …
            </span>
          ) : (
            <button
              key={p}
              type="button"
              className={`${css.page} ${css.number}`}
              aria-current={p === state.page ? 'page' : undefined}
              onClick={() => go(p)}
            >
              {count(p)}
            </button>
          ),
        )}
        <button
          type="button"
          className={css.page}
          disabled={state.page >= last}
          onClick={() => go(state.page + 1)}
          aria-label={t('grid.next')}
        >
          <IconChevronRight size={16} stroke={1.75} />
        </button>
      </nav>
    </footer>
  );
}

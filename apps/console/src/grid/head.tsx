import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useText } from '../text/use-text.ts';
import type { Column } from './grid.types.ts';
import { nextSort } from './search.ts';
import css from './table.module.css';

interface HeadProps<T> {
  columns: readonly Column<T>[];
  selectable: boolean;
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
  checked: 'none' | 'some' | 'all';
  onCheck: (on: boolean) => void;
}

export function Head<T>({ columns, selectable, sort, onSort, checked, onCheck }: HeadProps<T>) {
  const { t } = useText();
  return (
    <>
      <colgroup>{selectable && <col style={{ width: 40 }} />}{columns.map((c) => <col key={c.key} style={{ width: c.width }} />)}<col style={{ width: 66 }} /></colgroup>
      <thead className={css.head}>
        <tr>
          {selectable && (
            <th scope="col" className={css.checkCell}>
              <input type="checkbox" className={css.check} aria-label={t('grid.selectPage')} checked={checked === 'all'} ref={(el) => { if (el) el.indeterminate = checked === 'some'; }} onChange={(e) => onCheck(e.currentTarget.checked)} />
            </th>
          )}
          {columns.map((c) => {
            const up = sort === c.key;
            const down = sort === `-${c.key}`;
            return (
              <th key={c.key} scope="col" className={c.align === 'end' ? css.end : undefined} title={c.hint} aria-sort={up ? 'ascending' : down ? 'descending' : undefined}>
                {c.sortable
                  ? <button type="button" className={css.sort} onClick={() => onSort(nextSort(sort, c.key))}><span className="ellipsis">{c.title}</span>{up && <IconArrowUp size={13} stroke={2} aria-hidden />}{down && <IconArrowDown size={13} stroke={2} aria-hidden />}</button>
                  : c.title}
              </th>
            );
          })}
          <th><span className="hidden-text">{t('grid.actions')}</span></th>
        </tr>
      </thead>
    </>
  );
}

import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useText } from '../text/use-text.ts';
import { asked, withValues } from './filter.ts';
import type { DataGridProps } from './grid.types.ts';
import css from './states.module.css';

/** Replaces the rows when the user may not see them, when nothing matches or when nothing exists yet. */
export default function NoRows<T extends { id: string }, F extends string>({
  query,
  state,
  onState,
  filters,
  empty,
  noMatch,
}: DataGridProps<T, F>) {
  const { t } = useText();
  if (query.isError)
    return (
      <div className={css.state}>
        <span className={css.tile}>
          <IconLock size={20} stroke={1.5} />
        </span>
        <h2>{query.error?.message}</h2>
        <p>{t('grid.askAdministrator')}</p>
      </div>
    );
  const active = filters.flatMap((f) => asked(f, state.filters).map((operator) => ({ ...f, operator })));
  if (active.length > 0 || state.search !== '') {
    const first = active[0];
    return (
      <div className={css.state}>
        <h2>{noMatch}</h2>
        <div className={css.actions}>
          <Button variant="default" onClick={() => onState({ ...state, page: 1, search: '', filters: {} })}>
            {t('grid.clearFilters')}
          </Button>
          {first !== undefined && (active.length > 1 || state.search !== '') && (
            <Button
              variant="subtle"
              onClick={() =>
                onState({
                  ...state,
                  page: 1,
                  filters: withValues(state.filters, first.key, first.operator, []) as typeof state.filters,
                })
              }
            >
              {t('grid.removeFilter', { name: first.title })}
            </Button>
          )}
        </div>
      </div>
    );
  }
  return (
    <div className={css.state}>
      <span className={css.tile}>{empty.icon}</span>
      <h2>{empty.title}</h2>
      <p>{empty.text}</p>
      {empty.action && <div className={css.actions}>{empty.action}</div>}
    </div>
  );
}

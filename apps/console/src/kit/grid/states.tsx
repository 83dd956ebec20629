import { useEffect, useState, type ReactNode } from 'react';
import { Button } from '@mantine/core';
import { IconAlertTriangleFilled, IconRefresh } from '@tabler/icons-react';
import { lazy } from '../part/lazy.tsx';
import { useText } from '../text/use-text.ts';
import { isCallError } from '../api/call.ts';
import type { DataGridProps } from './grid.types.ts';
import css from './states.module.css';

/** Loaded when there are no rows or the user may not see them; a failure is shown without it. */
const NoRows = lazy(() => import('./no-rows.tsx')) as <T extends { id: string }, F extends string>(
  props: DataGridProps<T, F>,
) => ReactNode;

/** Returns true once a wait is long enough to be noticed. */
export function useSlow(waiting: boolean, ms = 200): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!waiting) {
      setSlow(false);
      return;
    }
    const timer = setTimeout(() => setSlow(true), ms);
    return () => clearTimeout(timer);
  }, [waiting, ms]);
  return slow;
}

/** Returns whether the user may not see the list. */
const isRefused = (error: unknown) => isCallError(error) && error.code === 403;

/** Replaces the rows: loading, refused, failed, nothing yet, or nothing that matches. */
export function GridState<T extends { id: string }, F extends string>({
  height,
  columnCount,
  ...grid
}: DataGridProps<T, F> & { height: number; columnCount: number }) {
  const { t } = useText();
  const { query, failure } = grid;
  const slow = useSlow(query.isPending);
  if (query.isPending)
    return (
      <div role="group" className={css.loading} aria-busy="true" aria-label={t('common.loading')}>
        {slow &&
          Array.from({ length: 12 }, (_, i) => <SkeletonRow key={i} seed={i} height={height} columns={columnCount} />)}
      </div>
    );
  if (query.isError && !isRefused(query.error))
    return (
      <div className={css.state} role="alert">
        <Failed text={failure} error={query.error} onRetry={() => void query.refetch()} />
      </div>
    );
  return <NoRows {...grid} />;
}

/** Keeps the rows and reports that an update failed. */
function Stale({ text, error, onRetry }: { text: string; error: unknown; onRetry: () => void }) {
  return (
    <div className={css.stale} role="alert">
      <Failed text={text} error={error} onRetry={onRetry} />
    </div>
  );
}
GridState.Stale = Stale;

export function Failed({ text, error, onRetry }: { text: string; error: unknown; onRetry: () => void }) {
  const { t } = useText();
  const known = isCallError(error) ? error : undefined;
  return (
    <div className={css.failed}>
      <IconAlertTriangleFilled size={14} aria-hidden />
      <div>
        <strong>{text}</strong>
        <p>
          {known?.message || t('common.unreachable')} {known?.requestId && t('common.request', { id: known.requestId })}
        </p>
      </div>
      <Button variant="default" leftSection={<IconRefresh size={15} stroke={1.75} />} onClick={onRetry}>
        {t('common.tryAgain')}
      </Button>
    </div>
  );
}

function SkeletonRow({ seed, height, columns }: { seed: number; height: number; columns: number }) {
  return (
    <div className={css.skeleton} style={{ height, gridTemplateColumns: `15px repeat(${columns}, 1fr)` }}>
      <i />
      {Array.from({ length: columns }, (_, i) => (
        <i key={i} style={{ width: `${45 + ((seed * 7 + i * 13) % 40)}%` }} />
      ))}
    </div>
  );
}

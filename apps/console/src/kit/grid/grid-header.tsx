import { useEffect, useState } from 'react';
import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { LiveMark } from '../live/live-mark.tsx';
import { lazy } from '../part/lazy.tsx';
import { count } from '../text/text.ts';
import { useText } from '../text/use-text.ts';
import type { DataGridProps } from './grid.types.ts';
import type { Layout } from './layout.ts';
import type { GridSelection } from './use-selection.ts';
import frame from './data-grid.module.css';

/** Loaded after the list, into a reserved space. */
const ViewTabs = lazy(() => import('./view-tabs.tsx')) as <T extends { id: string }, F extends string>(props: {
  grid: DataGridProps<T, F>;
  layout: Layout<T>;
  phone: boolean;
}) => React.ReactNode;

/** Returns true once the browser has painted the visible content. */
function usePainted(seen: boolean): boolean {
  const [painted, setPainted] = useState(false);
  useEffect(() => {
    if (!seen) return;
    let timer: number | undefined;
    const next = requestAnimationFrame(() => {
      timer = window.setTimeout(() => setPainted(true));
    });
    return () => {
      cancelAnimationFrame(next);
      clearTimeout(timer);
    };
  }, [seen]);
  return painted;
}

/** Shows name, count, live state and actions of the list; below, its tabs and saved views. */
export function GridHeader<T extends { id: string }, F extends string>({
  grid,
  layout,
  phone,
  selectable,
  selected,
}: {
  grid: DataGridProps<T, F>;
  layout: Layout<T>;
  phone: boolean;
  selectable: boolean;
  selected: GridSelection;
}) {
  const { t } = useText();
  const total = grid.query.data?.total ?? 0;
  const painted = usePainted(grid.query.data !== undefined);
  return (
    <>
      <header className={frame.title}>
        <h1 title={phone ? grid.title : undefined}>{grid.title}</h1>
        {grid.query.data && <span className={frame.total}>{count(total)}</span>}
        <LiveMark short={phone} />
        <span className={frame.spring} />
        {phone && selectable && (grid.query.data?.records.length ?? 0) > 0 && (
          <button type="button" className={frame.select} onClick={selected.toggleSelecting}>
            {t(selected.selecting ? 'common.done' : 'grid.select')}
          </button>
        )}
        {grid.onExport && total > 0 && (
          <Button
            variant="subtle"
            className={frame.export}
            leftSection={<IconDownload size={15} stroke={1.75} />}
            onClick={grid.onExport}
          >
            {t('grid.export')}
          </Button>
        )}
        {grid.primary}
      </header>
      <div className={frame.below} aria-busy={grid.query.data !== undefined && !painted}>
        {grid.tabs && (
          <nav className={frame.tabs} aria-label={grid.title}>
            {grid.tabs.map((tab) => (
              <button
                key={tab.key}
                type="button"
                aria-current={tab.key === grid.tab ? 'page' : undefined}
                onClick={() => grid.onTab?.(tab.key)}
              >
                {tab.label}
              </button>
            ))}
          </nav>
        )}
        {painted && <ViewTabs grid={grid} layout={layout} phone={phone} />}
      </div>
    </>
  );
}

import { Popover } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { lazy } from '../part/lazy.tsx';
import { Panel } from '../part/panel.tsx';
import { useText } from '../text/use-text.ts';
import type { Layout } from './layout.ts';
import css from './toolbar.module.css';

/** Loaded when it opens, to keep the list's first load small. */
const ColumnList = lazy(() => import('./column-list.tsx')) as <T>(props: { layout: Layout<T> }) => React.ReactNode;

export function ColumnChooser<T>({ layout }: { layout: Layout<T> }) {
  const { t } = useText();
  return (
    <Popover position="bottom-end">
      <Popover.Target>
        <button type="button" className={css.tool}>
          <IconColumns3 size={15} stroke={1.75} aria-hidden />
          {t('grid.columns')}
        </button>
      </Popover.Target>
      <Panel aria-label={t('grid.columns')} className={css.columns}>
        <ColumnList layout={layout} />
      </Panel>
    </Popover>
  );
}

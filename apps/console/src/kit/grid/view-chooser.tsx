import { lazy, useState } from 'react';
import { Popover } from '@mantine/core';
import { IconBookmark } from '@tabler/icons-react';
import { Late } from '../part/late.tsx';
import { Panel } from '../part/panel.tsx';
import { pageTexts } from '../text/text.ts';
import { useText } from '../text/use-text.ts';
import type { ViewListProps } from './view-list.tsx';
import css from './toolbar.module.css';

const ViewList = lazy(() => pageTexts().then(() => import('./view-list.tsx'))) as <T, F extends string>(
  props: ViewListProps<T, F>,
) => React.ReactNode;

export function ViewChooser<T, F extends string>(props: Omit<ViewListProps<T, F>, 'onDone'>) {
  const { t } = useText();
  const [opened, setOpened] = useState(false);
  return (
    <Popover position="bottom-end" opened={opened} onChange={setOpened} trapFocus>
      <Popover.Target>
        <button type="button" className={css.tool} onClick={() => setOpened(!opened)}>
          <IconBookmark size={15} stroke={1.75} aria-hidden />
          {t('grid.views')}
        </button>
      </Popover.Target>
      <Panel aria-label={t('grid.views')}>
        <Late>
          <ViewList {...props} onDone={() => setOpened(false)} />
        </Late>
      </Panel>
    </Popover>
  );
}

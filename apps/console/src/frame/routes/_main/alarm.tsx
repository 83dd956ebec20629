import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../kit/grid/search.ts';
import { pageTexts } from '../../../kit/text/text.ts';
import { AlarmPage } from '../../../area/system/alarm/alarm-page.tsx';

export const Route = createFileRoute('/_main/alarm')({
  staticData: { title: 'menu.alarms', menu: '/alarm' },
  validateSearch: (s: Record<string, unknown>) =>
    s as ListSearch<'level' | 'read' | 'tableCheck'> & { alarm?: string; message?: string },
  loader: () => pageTexts(),
  component: AlarmPage,
});

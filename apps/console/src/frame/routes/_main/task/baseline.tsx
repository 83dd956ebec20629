import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../../kit/grid/search.ts';
import { pageTexts } from '../../../../kit/text/text.ts';
import { BaselineListPage } from '../../../../area/task/baseline/baseline-list-page.tsx';

export const Route = createFileRoute('/_main/task/baseline')({
  staticData: { title: 'menu.baselines', menu: '/task/baseline' },
  validateSearch: (s: Record<string, unknown>) => s as ListSearch<never>,
  loader: () => pageTexts(),
  component: BaselineListPage,
});

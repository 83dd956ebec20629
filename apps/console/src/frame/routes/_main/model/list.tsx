import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../../kit/grid/search.ts';
import { pageTexts } from '../../../../kit/text/text.ts';
import { ModelListPage } from '../../../../area/device/model/model-list-page.tsx';

export const Route = createFileRoute('/_main/model/list')({
  staticData: { title: 'menu.models', menu: '/model/list' },
  validateSearch: (s: Record<string, unknown>) => s as ListSearch<string> & { opened?: string },
  loader: () => pageTexts(),
  component: ModelListPage,
});

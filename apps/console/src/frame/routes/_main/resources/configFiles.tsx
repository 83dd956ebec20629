import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../../kit/grid/search.ts';
import { pageTexts } from '../../../../kit/text/text.ts';
import { ConfigFileListPage } from '../../../../area/resource/config-file/config-file-list-page.tsx';

export const Route = createFileRoute('/_main/resources/configFiles')({
  staticData: { title: 'menu.configFiles', menu: '/resources/configFiles' },
  validateSearch: (s: Record<string, unknown>) => s as ListSearch<never> & { config?: string },
  loader: () => pageTexts(),
  component: ConfigFileListPage,
});

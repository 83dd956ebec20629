import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../../kit/grid/search.ts';
import { pageTexts } from '../../../../kit/text/text.ts';
import { ResourceFileListPage } from '../../../../area/resource/resource-file/resource-file-list-page.tsx';

export const Route = createFileRoute('/_main/resources/fileLists')({
  staticData: { title: 'menu.resourceFiles', menu: '/resources/fileLists' },
  validateSearch: (s: Record<string, unknown>) => s as ListSearch<'type'> & { resource?: string },
  loader: () => pageTexts(),
  component: ResourceFileListPage,
});

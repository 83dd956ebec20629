import { createFileRoute } from '@tanstack/react-router';
import { pageTexts } from '../../../kit/text/text.ts';
import type { ListSearch } from '../../../kit/grid/search.ts';
import { ConfigTemplateListPage } from '../../../area/device/config-template/config-template-list-page.tsx';

/** The menu's own entry is /setting/index, whose end is cut in the menu (SHELL-02). */
export const Route = createFileRoute('/_main/setting')({
  staticData: { title: 'menu.configTemplates', menu: '/setting' },
  validateSearch: (s: Record<string, unknown>) => s as ListSearch<'level'> & { template?: string },
  loader: () => pageTexts(),
  component: ConfigTemplateListPage,
});

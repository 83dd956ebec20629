import { createFileRoute } from '@tanstack/react-router';
import { one } from '../../../kit/browser/address.ts';
import { pageTexts } from '../../../kit/text/text.ts';
import { EditConfigTemplatePage } from '../../../area/device/config-template/config-template-page.tsx';

export const Route = createFileRoute('/_main/setting_/editTemplate')({
  staticData: {
    title: 'menu.editConfigTemplate',
    menu: '/setting',
    tabBy: ['id'],
    example: { id: '/setting' },
  },
  validateSearch: (s: Record<string, unknown>): { id?: string } => {
    const id = one(s['id']);
    return id === undefined ? {} : { id };
  },
  remountDeps: ({ search }) => search.id,
  loader: () => pageTexts(),
  component: EditConfigTemplatePage,
});

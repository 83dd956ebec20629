import { createFileRoute } from '@tanstack/react-router';
import { one } from '../../../../kit/browser/address.ts';
import { pageTexts } from '../../../../kit/text/text.ts';
import { EditModelPage } from '../../../../area/device/model/model-page.tsx';

export const Route = createFileRoute('/_main/model/editModel')({
  staticData: { title: 'menu.editModel', menu: '/model/list', tabBy: ['id'], example: { id: '/model/list' } },
  validateSearch: (s: Record<string, unknown>): { id?: string } => {
    const id = one(s['id']);
    return id === undefined ? {} : { id };
  },
  remountDeps: ({ search }) => search.id,
  loader: () => pageTexts(),
  component: EditModelPage,
});

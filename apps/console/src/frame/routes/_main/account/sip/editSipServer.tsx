import { createFileRoute } from '@tanstack/react-router';
import { one } from '../../../../../kit/browser/address.ts';
import { pageTexts } from '../../../../../kit/text/text.ts';
import { EditSipServerPage } from '../../../../../area/sip/sip-server/sip-server-page.tsx';

export const Route = createFileRoute('/_main/account/sip/editSipServer')({
  staticData: {
    title: 'menu.editSipServer',
    menu: '/account/sip/sipServer',
    tabBy: ['id'],
    example: { id: '/account/sip/sipServer' },
  },
  validateSearch: (s: Record<string, unknown>): { id?: string } => {
    const id = one(s['id']);
    return id === undefined ? {} : { id };
  },
  remountDeps: ({ search }) => search.id,
  loader: () => pageTexts(),
  component: EditSipServerPage,
});

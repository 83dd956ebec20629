import { createFileRoute } from '@tanstack/react-router';
import { one } from '../../../../../kit/browser/address.ts';
import { pageTexts } from '../../../../../kit/text/text.ts';
import { EditSipAccountPage } from '../../../../../area/sip/sip-account/sip-account-page.tsx';

export const Route = createFileRoute('/_main/account/sip/editSipAccount')({
  staticData: {
    title: 'menu.editSipAccount',
    menu: '/account/sip/sipAccount',
    tabBy: ['id'],
    example: { id: '/account/sip/sipAccount' },
  },
  validateSearch: (s: Record<string, unknown>): { id?: string } => {
    const id = one(s['id']);
    return id === undefined ? {} : { id };
  },
  remountDeps: ({ search }) => search.id,
  loader: () => pageTexts(),
  component: EditSipAccountPage,
});

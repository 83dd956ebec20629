import { createFileRoute } from '@tanstack/react-router';
import { one } from '../../../../kit/browser/address.ts';
import { pageTexts } from '../../../../kit/text/text.ts';
import { EditSubAccountPage } from '../../../../area/channel/channel/channel-page.tsx';

export const Route = createFileRoute('/_main/channel/editSubAccount')({
  staticData: {
    title: 'menu.editSubAccount',
    menu: '/channel/boundChannelList',
    tabBy: ['id'],
    example: { id: '/channel/boundChannelList' },
  },
  validateSearch: (s: Record<string, unknown>): { id?: string } => {
    const id = one(s['id']);
    return id === undefined ? {} : { id };
  },
  remountDeps: ({ search }) => search.id,
  loader: () => pageTexts(),
  component: EditSubAccountPage,
});

import { createFileRoute } from '@tanstack/react-router';
import { pageTexts } from '../../../../kit/text/text.ts';
import { AddSubAccountPage } from '../../../../area/channel/channel/channel-page.tsx';

export const Route = createFileRoute('/_main/channel/addSubAccount')({
  staticData: { title: 'menu.addSubAccount', menu: '/channel/boundChannelList' },
  loader: () => pageTexts(),
  component: AddSubAccountPage,
});

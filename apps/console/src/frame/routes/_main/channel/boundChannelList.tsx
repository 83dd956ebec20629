import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../../kit/grid/search.ts';
import { pageTexts } from '../../../../kit/text/text.ts';
import { ChannelListPage } from '../../../../area/channel/channel/channel-list-page.tsx';

export const Route = createFileRoute('/_main/channel/boundChannelList')({
  staticData: { title: 'menu.boundChannels', menu: '/channel/boundChannelList' },
  validateSearch: (s: Record<string, unknown>) => s as ListSearch<never> & { channel?: string },
  loader: () => pageTexts(),
  component: ChannelListPage,
});

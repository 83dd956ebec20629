import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../../kit/grid/search.ts';
import { pageTexts } from '../../../../kit/text/text.ts';
import { ChannelAddressListPage } from '../../../../area/channel/channel-address/channel-address-list-page.tsx';

export const Route = createFileRoute('/_main/channel/address')({
  staticData: { title: 'menu.channelAddresses', menu: '/channel/address' },
  validateSearch: (s: Record<string, unknown>) => s as ListSearch<never>,
  loader: () => pageTexts(),
  component: ChannelAddressListPage,
});

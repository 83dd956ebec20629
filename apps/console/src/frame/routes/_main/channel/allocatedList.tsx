import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../../kit/grid/search.ts';
import { pageTexts } from '../../../../kit/text/text.ts';
import { ChannelOrderListPage } from '../../../../area/channel/channel-order/channel-order-list-page.tsx';

export const Route = createFileRoute('/_main/channel/allocatedList')({
  staticData: { title: 'menu.channelOrders', menu: '/channel/allocatedList' },
  validateSearch: (s: Record<string, unknown>) => s as ListSearch<never>,
  loader: () => pageTexts(),
  component: ChannelOrderListPage,
});

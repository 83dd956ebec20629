import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../../kit/grid/search.ts';
import { pageTexts } from '../../../../kit/text/text.ts';
import { ChannelStatisticPage } from '../../../../area/channel/channel-statistic/channel-statistic-page.tsx';

export const Route = createFileRoute('/_main/channel/statistics')({
  staticData: { title: 'menu.channelStatistics', menu: '/channel/statistics' },
  validateSearch: (s: Record<string, unknown>) => s as ListSearch<never>,
  loader: () => pageTexts(),
  component: ChannelStatisticPage,
});

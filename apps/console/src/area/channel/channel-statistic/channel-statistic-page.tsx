import { IconChartBar } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { ListPage } from '../../../kit/grid/list-page.tsx';
import type { ListColumn } from '../../../kit/grid/list.types.ts';
import { CompanyState } from '../../organization/company/company-state.tsx';
import { listChannelStatistics, type ChannelStatistic } from './channel-statistic.calls.ts';

const statuses = ['normal', 'inactive', 'locked', 'disabled', 'deactivated'] as const;
const sums = [
  'devices',
  'online',
  'offline',
  'abnormal',
  'notConfigured',
  'below',
  'belowAbnormal',
  'belowOffline',
] as const;

const columns: ListColumn<typeof listChannelStatistics>[] = [
  {
    key: 'name',
    type: 'text',
    title: 'channel.name',
    sort: true,
    width: 190,
    fixed: true,
    value: (c) => c.name,
    show: (c) => (
      <Link to="/channel/boundChannelList" search={{ search: c.name } as never} className="link" title={c.name}>
        {c.name}
      </Link>
    ),
  },
  {
    key: 'status',
    type: 'word',
    title: 'channel.status',
    sort: true,
    width: 110,
    phone: 'state',
    value: (c) => `companyStatus.${c.status}`,
    show: (c) => <CompanyState status={c.status} />,
  },
  ...sums.map((key) => ({
    key,
    type: 'number' as const,
    title: `channelStatistic.${key}` as const,
    sort: true as const,
    live: true as const,
    width: key.startsWith('below') ? 128 : 92,
    ...(key === 'devices' ? { phone: 'extra' as const } : {}),
    ...(key === 'notConfigured' || key === 'belowOffline' ? { optional: true as const } : {}),
    value: (c: ChannelStatistic) => c[key],
  })),
];

/** Shows which channels have trouble: sums of their devices, and of all companies below them. */
export function ChannelStatisticPage() {
  return (
    <ListPage
      name="channelStatistic"
      route="/_main/channel/statistics"
      list={listChannelStatistics}
      service="device"
      title="menu.channelStatistics"
      icon={IconChartBar}
      texts="channelStatistic"
      columns={columns}
      filters={[
        {
          key: 'status',
          title: 'channel.status',
          values: statuses,
          word: (s: ChannelStatistic['status']) => `companyStatus.${s}`,
        },
        { key: 'name', kind: 'text', title: 'channel.name' },
        ...sums.map((key) => ({ key, kind: 'number' as const, title: `channelStatistic.${key}` as const })),
      ]}
      label={(c) => c.name}
    />
  );
}

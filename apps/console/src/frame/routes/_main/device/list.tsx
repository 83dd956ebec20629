import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../../kit/grid/search.ts';
import { DeviceListPage } from '../../../../area/device/device/device-list-page.tsx';

export const Route = createFileRoute('/_main/device/list')({
  staticData: { title: 'menu.devices', menu: '/device/list' },
  validateSearch: (s: Record<string, unknown>) =>
    s as ListSearch<'state' | 'model' | 'firmware' | 'site' | 'group' | 'line' | 'id'>,
  component: DeviceListPage,
});

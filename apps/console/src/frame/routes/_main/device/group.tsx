import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../../kit/grid/search.ts';
import { pageTexts } from '../../../../kit/text/text.ts';
import { DeviceGroupListPage } from '../../../../area/device/device-group/device-group-list-page.tsx';

export const Route = createFileRoute('/_main/device/group')({
  staticData: { title: 'menu.deviceGroups', menu: '/device/group' },
  validateSearch: (s: Record<string, unknown>) => s as ListSearch<never>,
  loader: () => pageTexts(),
  component: DeviceGroupListPage,
});

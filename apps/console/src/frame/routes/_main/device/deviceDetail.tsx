import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../../kit/grid/search.ts';
import { one } from '../../../../kit/browser/address.ts';
import { pageTexts } from '../../../../kit/text/text.ts';
import { DeviceDetailPage, type DeviceTab } from '../../../../area/device/device/device-detail-page.tsx';

export const Route = createFileRoute('/_main/device/deviceDetail')({
  staticData: { title: 'device.detail', menu: '/device/list', tabBy: ['id'] },
  validateSearch: (s: Record<string, unknown>): { id: string; tab?: DeviceTab } & ListSearch<'kind'> => {
    const tab = one(s['tab']);
    const { kind, page, limit } = s as ListSearch<'kind'>;
    return {
      id: one(s['id']) ?? '',
      ...(tab === 'tasks' || tab === 'log' ? { tab } : {}),
      // The history's filter and page.
      ...(tab === 'log' ? { ...(kind && { kind }), ...(page && { page }), ...(limit && { limit }) } : {}),
    };
  },
  // Another device is a new page, not the same one with other data.
  remountDeps: ({ search }) => search.id,
  loader: () => pageTexts(),
  component: DeviceDetailPage,
});

import { createFileRoute } from '@tanstack/react-router';
import { one } from '../../../session/address.ts';
import { DeviceDetailPage } from '../../../device/device-detail-page.tsx';

export const Route = createFileRoute('/_main/device/deviceDetail')({
  staticData: { title: 'device.detail', menu: '/device/list', tabBy: ['id'] },
  validateSearch: (s: Record<string, unknown>): { id: string; tab?: 'tasks' } => ({ id: one(s['id']) ?? '', ...(one(s['tab']) === 'tasks' ? { tab: 'tasks' as const } : {}) }),
  // Another device is another page, not the same one with other data.
  remountDeps: ({ search }) => search.id,
  component: DeviceDetailPage,
});

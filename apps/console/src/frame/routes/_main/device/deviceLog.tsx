import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../../kit/grid/search.ts';
import { DeviceLogPage } from '../../../../area/device/device-log/device-log-page.tsx';
import { pageTexts } from '../../../../kit/text/text.ts';

export const Route = createFileRoute('/_main/device/deviceLog')({
  staticData: { title: 'menu.deviceLogs', menu: '/device/deviceLog' },
  validateSearch: (s: Record<string, unknown>) => s as ListSearch<'deviceId'> & { entry?: string },
  loader: () => pageTexts(),
  component: DeviceLogPage,
});

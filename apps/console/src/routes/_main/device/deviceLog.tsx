import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../grid/search.ts';
import { DeviceLogPage, type DeviceLogField } from '../../../device-log/device-log-page.tsx';
import { pageTexts } from '../../../text/text.ts';

export const Route = createFileRoute('/_main/device/deviceLog')({
  staticData: { title: 'menu.deviceLogs', menu: '/device/deviceLog' },
  validateSearch: (s: Record<string, unknown>) => s as ListSearch<DeviceLogField>,
  loader: () => pageTexts(),
  component: DeviceLogPage,
});

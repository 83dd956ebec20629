import { createFileRoute } from '@tanstack/react-router';
import { pageTexts } from '../../../../kit/text/text.ts';
import { AddDevicePage } from '../../../../area/device/device/add-device-page.tsx';

export const Route = createFileRoute('/_main/device/addDevice')({
  staticData: { title: 'device.add', menu: '/device/list' },
  loader: () => pageTexts(),
  component: AddDevicePage,
});

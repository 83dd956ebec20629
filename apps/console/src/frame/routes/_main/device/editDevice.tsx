import { createFileRoute } from '@tanstack/react-router';
import { pageTexts } from '../../../../kit/text/text.ts';
import { EditDevicePage } from '../../../../area/device/device/edit-device-page.tsx';

export const Route = createFileRoute('/_main/device/editDevice')({
  staticData: { title: 'menu.editDevice', menu: '/device/list', tabBy: ['id'], example: { id: '/device/list' } },
  loader: () => pageTexts(),
  component: EditDevicePage,
});

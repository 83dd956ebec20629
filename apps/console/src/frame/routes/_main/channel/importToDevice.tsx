import { createFileRoute } from '@tanstack/react-router';
import { pageTexts } from '../../../../kit/text/text.ts';
import { MakeDevicesPage } from '../../../../area/channel/channel-order/make-devices-page.tsx';

export const Route = createFileRoute('/_main/channel/importToDevice')({
  staticData: { title: 'menu.importToDevice', menu: '/channel/allocatedList' },
  validateSearch: (s: Record<string, unknown>) => s as { ids?: string | string[] },
  loader: () => pageTexts(),
  component: MakeDevicesPage,
});

import { createFileRoute } from '@tanstack/react-router';
import { RedirectServicePage } from '../../../../area/device/redirect-service/redirect-service-page.tsx';

export const Route = createFileRoute('/_main/system/redirectService')({
  staticData: { title: 'menu.redirectService', menu: '/system/redirectService' },
  component: RedirectServicePage,
});

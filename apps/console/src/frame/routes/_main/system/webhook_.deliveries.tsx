import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../../kit/grid/search.ts';
import { pageTexts } from '../../../../kit/text/text.ts';
import { DeliveryListPage } from '../../../../area/system/webhook/delivery-list-page.tsx';

export const Route = createFileRoute('/_main/system/webhook_/deliveries')({
  staticData: { title: 'menu.webhookDeliveries', menu: '/system/webhook' },
  validateSearch: (s: Record<string, unknown>) =>
    s as ListSearch<'webhook' | 'state' | 'event' | 'fault'> & { delivery?: string },
  loader: () => pageTexts(),
  component: DeliveryListPage,
});

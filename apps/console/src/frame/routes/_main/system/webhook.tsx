import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../../kit/grid/search.ts';
import { pageTexts } from '../../../../kit/text/text.ts';
import { WebhookListPage } from '../../../../area/system/webhook/webhook-list-page.tsx';

export const Route = createFileRoute('/_main/system/webhook')({
  staticData: { title: 'menu.webhooks', menu: '/system/webhook' },
  validateSearch: (s: Record<string, unknown>) => s as ListSearch<'state' | 'event'> & { hook?: string },
  loader: () => pageTexts(),
  component: WebhookListPage,
});

import { createFileRoute } from '@tanstack/react-router';
import { pageTexts } from '../../../../kit/text/text.ts';
import { AllocatePage } from '../../../../area/channel/channel-order/allocate-page.tsx';

export const Route = createFileRoute('/_main/channel/allocatedSubChannel')({
  staticData: { title: 'menu.allocatedSubChannel', menu: '/channel/allocatedList' },
  validateSearch: (s: Record<string, unknown>) => s as { ids?: string | string[]; channel?: string },
  loader: () => pageTexts(),
  component: AllocatePage,
});

import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../../kit/grid/search.ts';
import { pageTexts } from '../../../../kit/text/text.ts';
import { TimePage } from '../../../../area/system/time/time-page.tsx';

export const Route = createFileRoute('/_main/system/time')({
  staticData: { title: 'menu.time', menu: '/system/time' },
  validateSearch: (s: Record<string, unknown>) =>
    s as ListSearch<string> & { table?: string; country?: string; zone?: string },
  loader: () => pageTexts(),
  component: TimePage,
});

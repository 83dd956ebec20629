import { createFileRoute } from '@tanstack/react-router';
import type { ListSearch } from '../../../../kit/grid/search.ts';
import { pageTexts } from '../../../../kit/text/text.ts';
import { EmailNoticeListPage } from '../../../../area/system/email-notice/email-notice-list-page.tsx';

export const Route = createFileRoute('/_main/system/emailNotice')({
  staticData: { title: 'menu.emailNotices', menu: '/system/emailNotice' },
  validateSearch: (s: Record<string, unknown>) => s as ListSearch<'sendType' | 'level'> & { notice?: string },
  loader: () => pageTexts(),
  component: EmailNoticeListPage,
});

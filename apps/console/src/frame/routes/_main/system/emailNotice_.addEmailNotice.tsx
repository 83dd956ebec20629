import { createFileRoute } from '@tanstack/react-router';
import { pageTexts } from '../../../../kit/text/text.ts';
import { AddEmailNoticePage } from '../../../../area/system/email-notice/email-notice-page.tsx';

export const Route = createFileRoute('/_main/system/emailNotice_/addEmailNotice')({
  staticData: { title: 'menu.addEmailNotice', menu: '/system/emailNotice' },
  loader: () => pageTexts(),
  component: AddEmailNoticePage,
});

import { createFileRoute } from '@tanstack/react-router';
import { one } from '../../../../kit/browser/address.ts';
import { pageTexts } from '../../../../kit/text/text.ts';
import { EditEmailNoticePage } from '../../../../area/system/email-notice/email-notice-page.tsx';

export const Route = createFileRoute('/_main/system/emailNotice_/editEmailNotice')({
  staticData: {
    title: 'menu.editEmailNotice',
    menu: '/system/emailNotice',
    tabBy: ['id'],
    example: { id: '/system/emailNotice' },
  },
  validateSearch: (s: Record<string, unknown>): { id?: string } => {
    const id = one(s['id']);
    return id === undefined ? {} : { id };
  },
  remountDeps: ({ search }) => search.id,
  loader: () => pageTexts(),
  component: EditEmailNoticePage,
});

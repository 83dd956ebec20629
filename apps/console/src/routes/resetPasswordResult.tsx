import { createFileRoute, redirect } from '@tanstack/react-router';
import { session } from '../session/session.ts';
import { linkTexts } from '../text/text.ts';
import { ResetPasswordDonePage } from '../account/link-pages.tsx';

export const Route = createFileRoute('/resetPasswordResult')({
  staticData: { title: 'account.passwordSet' },
  beforeLoad: async () => {
    if (session() === undefined)
      throw redirect({ to: '/login', search: { to: '/resetPasswordResult' }, replace: true });
    await linkTexts();
  },
  component: ResetPasswordDonePage,
});

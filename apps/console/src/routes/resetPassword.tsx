import { createFileRoute, redirect } from '@tanstack/react-router';
import { session } from '../session/session.ts';
import { linkTexts } from '../text/text.ts';
import { ChangePasswordPage } from '../password/change-password-page.tsx';

export const Route = createFileRoute('/resetPassword')({
  staticData: { title: 'password.change' },
  beforeLoad: async () => {
    if (session() === undefined) throw redirect({ to: '/login', search: { to: '/resetPassword' }, replace: true });
    await linkTexts();
  },
  component: ChangePasswordPage,
});

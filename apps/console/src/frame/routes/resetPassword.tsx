import { createFileRoute, redirect } from '@tanstack/react-router';
import { session } from '../../kit/session/session.ts';
import { linkTexts } from '../../kit/text/text.ts';
import { ChangePasswordPage } from '../../area/people/password/change-password-page.tsx';

export const Route = createFileRoute('/resetPassword')({
  staticData: { title: 'password.change' },
  beforeLoad: async () => {
    if (session() === undefined) throw redirect({ to: '/login', search: { to: '/resetPassword' }, replace: true });
    await linkTexts();
  },
  component: ChangePasswordPage,
});

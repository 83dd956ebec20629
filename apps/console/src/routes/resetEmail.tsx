import { createFileRoute, redirect } from '@tanstack/react-router';
import { NewEmailPage } from '../account/email-pages.tsx';
import { session } from '../session/session.ts';
import { linkTexts } from '../text/text.ts';

export const Route = createFileRoute('/resetEmail')({
  staticData: { title: 'account.newEmail' },
  beforeLoad: async () => {
    if (session() === undefined) throw redirect({ to: '/login', search: { to: '/resetEmail' }, replace: true });
    await linkTexts();
  },
  component: NewEmailPage,
});

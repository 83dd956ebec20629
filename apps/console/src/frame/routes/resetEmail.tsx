import { createFileRoute, redirect } from '@tanstack/react-router';
import { NewEmailPage } from '../../area/people/account/email-pages.tsx';
import { session } from '../../kit/session/session.ts';
import { linkTexts } from '../../kit/text/text.ts';

export const Route = createFileRoute('/resetEmail')({
  staticData: { title: 'account.newEmail' },
  beforeLoad: async () => {
    if (session() === undefined) throw redirect({ to: '/login', search: { to: '/resetEmail' }, replace: true });
    await linkTexts();
  },
  component: NewEmailPage,
});

import { createFileRoute, redirect } from '@tanstack/react-router';
import { NewEmailSentPage } from '../account/email-pages.tsx';
import { session } from '../session/session.ts';
import { linkTexts } from '../text/text.ts';

export const Route = createFileRoute('/resetEmailActive')({
  staticData: { title: 'account.mailSent' },
  beforeLoad: async () => {
    if (session() === undefined) throw redirect({ to: '/login', search: { to: '/resetEmailActive' }, replace: true });
    await linkTexts();
  },
  component: NewEmailSentPage,
});

import { createFileRoute, redirect } from '@tanstack/react-router';
import { NewEmailSentPage } from '../account/email-pages.tsx';
import { session } from '../session/session.ts';

export const Route = createFileRoute('/resetEmailActive')({
  staticData: { title: 'account.mailSent' },
  beforeLoad: () => { if (session() === undefined) throw redirect({ to: '/login', search: { to: '/resetEmailActive' }, replace: true }); },
  component: NewEmailSentPage,
});

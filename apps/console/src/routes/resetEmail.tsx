import { createFileRoute, redirect } from '@tanstack/react-router';
import { NewEmailPage } from '../account/email-pages.tsx';
import { session } from '../session/session.ts';

export const Route = createFileRoute('/resetEmail')({
  staticData: { title: 'account.newEmail' },
  beforeLoad: () => { if (session() === undefined) throw redirect({ to: '/login', search: { to: '/resetEmail' }, replace: true }); },
  component: NewEmailPage,
});

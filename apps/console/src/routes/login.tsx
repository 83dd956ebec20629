import { createFileRoute, redirect } from '@tanstack/react-router';
import { one } from '../session/address.ts';
import { session } from '../session/session.ts';
import { LoginPage } from '../login/login-page.tsx';

export const Route = createFileRoute('/login')({
  staticData: { title: 'login.title' },
  validateSearch: (s: Record<string, unknown>): { to?: string } => { const to = one(s['to']); return to === undefined ? {} : { to }; },
  beforeLoad: () => { if (session() !== undefined) throw redirect({ to: '/wel/home', replace: true }); },
  component: LoginPage,
});

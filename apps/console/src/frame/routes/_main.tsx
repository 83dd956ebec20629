import { createFileRoute, redirect } from '@tanstack/react-router';
import { one } from '../../kit/browser/address.ts';
import { session } from '../../kit/session/session.ts';
import { insideTexts } from '../../kit/text/text.ts';
import { Shell } from '../shell/shell.tsx';

let clock: Promise<void> | undefined;
/** Loads the clock once per page load, before times are shown. */
const clockReady = () => (clock ??= import('../../kit/text/clock.ts').then((m) => m.startClock()));

/** The main layout: requires a session, and returns to the requested address after a login (SHELL-01). */
export const Route = createFileRoute('/_main')({
  validateSearch: (s: Record<string, unknown>): { task?: string } => {
    const task = one(s['task']);
    return task === undefined ? {} : { task };
  },
  beforeLoad: async ({ location }) => {
    if (session() === undefined)
      throw redirect({
        to: '/login',
        search: location.href === '/wel/home' ? {} : { to: location.href },
        replace: true,
      });
    if (session()!.mustChangePassword) throw redirect({ to: '/resetPassword', replace: true });
    await Promise.all([insideTexts(), clockReady()]);
  },
  component: Shell,
});

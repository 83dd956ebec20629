import { createFileRoute, redirect } from '@tanstack/react-router';
import { one } from '../../kit/browser/address.ts';
import { isLocked } from '../../kit/session/lock.ts';
import { session } from '../../kit/session/session.ts';
import { insideTexts } from '../../kit/text/text.ts';
import { LockPage } from '../../area/people/lock/lock-page.tsx';

export const Route = createFileRoute('/lock')({
  staticData: { title: 'lock.title' },
  validateSearch: (s: Record<string, unknown>): { to?: string } => {
    const to = one(s['to']);
    return to === undefined ? {} : { to };
  },
  beforeLoad: async () => {
    // Without a login it opens and says that nothing is locked (SHELL-02).
    if (session() !== undefined && !isLocked()) throw redirect({ to: '/wel/home', replace: true });
    await insideTexts();
  },
  component: LockPage,
});

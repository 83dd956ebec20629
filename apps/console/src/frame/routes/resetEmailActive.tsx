import { createFileRoute, redirect } from '@tanstack/react-router';
import { NewEmailSentPage } from '../../area/people/account/email-pages.tsx';
import { session } from '../../kit/session/session.ts';
import { linkTexts, pageTexts } from '../../kit/text/text.ts';

export const Route = createFileRoute('/resetEmailActive')({
  staticData: { title: 'account.mailSent' },
  beforeLoad: async () => {
    if (session() === undefined) throw redirect({ to: '/login', search: { to: '/resetEmailActive' }, replace: true });
    const { startClock } = await import('../../kit/text/clock.ts');
    await Promise.all([linkTexts(), pageTexts(), startClock()]);
  },
  component: NewEmailSentPage,
});

import { createFileRoute, redirect } from '@tanstack/react-router';
import { session } from '../../kit/session/session.ts';
import { linkTexts } from '../../kit/text/text.ts';
import { OwnPasswordSetPage } from '../../area/people/account/link-pages.tsx';

export const Route = createFileRoute('/resetPasswordResult')({
  staticData: { title: 'account.ownPasswordSet' },
  beforeLoad: async () => {
    if (session() === undefined)
      throw redirect({ to: '/login', search: { to: '/resetPasswordResult' }, replace: true });
    await linkTexts();
  },
  component: OwnPasswordSetPage,
});

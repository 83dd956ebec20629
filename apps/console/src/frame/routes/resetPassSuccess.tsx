import { createFileRoute } from '@tanstack/react-router';
import { linkTexts } from '../../kit/text/text.ts';
import { ResetPasswordDonePage } from '../../area/people/account/link-pages.tsx';

export const Route = createFileRoute('/resetPassSuccess')({
  beforeLoad: linkTexts,
  staticData: { title: 'account.passwordSet' },
  component: ResetPasswordDonePage,
});

import { createFileRoute } from '@tanstack/react-router';
import { linkTexts } from '../../kit/text/text.ts';
import { ResetPasswordPage } from '../../area/people/account/link-pages.tsx';

export const Route = createFileRoute('/forgetPasswordResult')({
  beforeLoad: linkTexts,
  staticData: { title: 'account.choose' },
  component: ResetPasswordPage,
});

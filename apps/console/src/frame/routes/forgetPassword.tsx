import { createFileRoute } from '@tanstack/react-router';
import { linkTexts } from '../../kit/text/text.ts';
import { ForgotPasswordPage } from '../../area/people/account/forgot-password-page.tsx';

export const Route = createFileRoute('/forgetPassword')({
  beforeLoad: linkTexts,
  staticData: { title: 'account.forgot' },
  component: ForgotPasswordPage,
});

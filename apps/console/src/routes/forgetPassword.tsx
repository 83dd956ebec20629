import { createFileRoute } from '@tanstack/react-router';
import { linkTexts } from '../text/text.ts';
import { ForgotPasswordPage } from '../account/forgot-password-page.tsx';

export const Route = createFileRoute('/forgetPassword')({
  beforeLoad: linkTexts,
  staticData: { title: 'account.forgot' },
  component: ForgotPasswordPage,
});

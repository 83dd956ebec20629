import { createFileRoute } from '@tanstack/react-router';
import { linkTexts } from '../text/text.ts';
import { ForgotPasswordSentPage } from '../account/forgot-password-page.tsx';

export const Route = createFileRoute('/forgetPasswordActive')({
  beforeLoad: linkTexts,
  staticData: { title: 'account.mailSent' },
  component: ForgotPasswordSentPage,
});

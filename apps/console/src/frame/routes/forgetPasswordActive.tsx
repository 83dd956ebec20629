import { createFileRoute } from '@tanstack/react-router';
import { linkTexts } from '../../kit/text/text.ts';
import { ForgotPasswordSentPage } from '../../area/people/account/forgot-password-page.tsx';

export const Route = createFileRoute('/forgetPasswordActive')({
  beforeLoad: linkTexts,
  staticData: { title: 'account.mailSent' },
  component: ForgotPasswordSentPage,
});

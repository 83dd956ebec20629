import { createFileRoute } from '@tanstack/react-router';
import { ForgotPasswordSentPage } from '../account/forgot-password-page.tsx';

export const Route = createFileRoute('/forgetPasswordActive')({ staticData: { title: 'account.mailSent' }, component: ForgotPasswordSentPage });

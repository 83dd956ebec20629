import { createFileRoute } from '@tanstack/react-router';
import { ForgotPasswordPage } from '../account/forgot-password-page.tsx';

export const Route = createFileRoute('/forgetPassword')({ staticData: { title: 'account.forgot' }, component: ForgotPasswordPage });

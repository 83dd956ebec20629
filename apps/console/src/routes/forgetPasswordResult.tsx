import { createFileRoute } from '@tanstack/react-router';
import { ResetPasswordPage } from '../account/link-pages.tsx';

export const Route = createFileRoute('/forgetPasswordResult')({ staticData: { title: 'account.choose' }, component: ResetPasswordPage });

import { createFileRoute } from '@tanstack/react-router';
import { ResetPasswordDonePage } from '../account/link-pages.tsx';

export const Route = createFileRoute('/resetPasswordResult')({ staticData: { title: 'account.passwordSet' }, component: ResetPasswordDonePage });

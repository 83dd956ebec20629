import { createFileRoute } from '@tanstack/react-router';
import { ResetPasswordDonePage } from '../account/link-pages.tsx';

export const Route = createFileRoute('/resetPassSuccess')({ staticData: { title: 'account.passwordSet' }, component: ResetPasswordDonePage });

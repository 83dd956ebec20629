import { createFileRoute } from '@tanstack/react-router';
import { ConfirmEmailPage } from '../account/link-pages.tsx';

export const Route = createFileRoute('/resetEmailResult')({ staticData: { title: 'account.confirmEmail' }, component: ConfirmEmailPage });

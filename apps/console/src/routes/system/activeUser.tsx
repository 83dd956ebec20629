import { createFileRoute } from '@tanstack/react-router';
import { ActivationPage } from '../../account/link-pages.tsx';

export const Route = createFileRoute('/system/activeUser')({ staticData: { title: 'account.activate' }, component: ActivationPage });

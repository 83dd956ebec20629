import { createFileRoute } from '@tanstack/react-router';
import { linkTexts } from '../../kit/text/text.ts';
import { ConfirmEmailPage } from '../../area/people/account/link-pages.tsx';

export const Route = createFileRoute('/resetEmailResult')({
  beforeLoad: linkTexts,
  staticData: { title: 'account.confirmEmail' },
  component: ConfirmEmailPage,
});

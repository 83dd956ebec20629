import { createFileRoute } from '@tanstack/react-router';
import { linkTexts } from '../../../kit/text/text.ts';
import { ActivationPage } from '../../../area/people/account/link-pages.tsx';

export const Route = createFileRoute('/system/activeUser')({
  beforeLoad: linkTexts,
  staticData: { title: 'account.activate' },
  component: ActivationPage,
});

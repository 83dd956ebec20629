import { createFileRoute } from '@tanstack/react-router';
import { pageTexts } from '../../../../../kit/text/text.ts';
import { AddFcsAccountPage } from '../../../../../area/sip/sip-account/sip-account-page.tsx';

export const Route = createFileRoute('/_main/account/sip/addFcsAccount')({
  staticData: { title: 'menu.addFcsAccount', menu: '/account/sip/sipAccount' },
  loader: () => pageTexts(),
  component: AddFcsAccountPage,
});
